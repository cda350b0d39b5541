#pragma once
/// Bodies at rest under their loads before dynamics begin. docs/equilibrium.md.

#include "config/scene.hpp"
#include "simulation/state.hpp"

namespace sunder::simulation {

/// Collective. Moves the nodes to where gravity, the loads of the state's time and obstacles balance, free ones where
/// they are. Velocities
/// stay, and nothing is counted as work. Throws Error on every rank: bad_input if a fragment is held by nothing,
/// simulation_failed if no equilibrium is found.
void find_initial_equilibrium(const config::Scene& scene, State& state);

}  // namespace sunder::simulation
