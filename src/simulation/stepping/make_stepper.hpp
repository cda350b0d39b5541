#pragma once
/// Which stepper a scene asks for: a new one is made here.

#include "config/scene.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/run_state.hpp"
#include "simulation/stepping/stepper.hpp"

#include <memory>
#include <span>

namespace sunder::simulation {

/// Collective. From the beginning, or going on from what another has stored with the memory of its pairs. scene and
/// state must outlive it. Throws Error on every rank if the scene's step is too long.
std::unique_ptr<Stepper> make_stepper(const config::Scene& scene, State& state, const RunState* from = nullptr,
                                      std::span<const partition::PairRecord> memory = {});

}  // namespace sunder::simulation
