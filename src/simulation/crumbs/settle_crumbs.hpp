#pragma once
/// What becomes of the crumbs when the impact on a lattice is over. docs/lattice.md.

#include "config/scene.hpp"
#include "simulation/state.hpp"

namespace sunder::simulation {

/// Collective, once in a run, before anything has flown. Crumbs that become particles get the velocity of their centre;
/// the energy of their spin is booked as numerical. Crumbs that become nothing are taken out of the bodies, and what
/// they had is booked. state.crumbs and the log have the sums. Whoever refers to elements or nodes has to be rebuilt.
void settle_crumbs(const config::Scene& scene, State& state);

}  // namespace sunder::simulation
