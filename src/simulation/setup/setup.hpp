#pragma once
/// From a scene to the state it begins in.

#include "config/scene.hpp"
#include "simulation/state.hpp"

#include <vector>

namespace sunder::simulation {

/// Collective on comm. Each rank gets its part of the coarse mesh (simulation/setup/coarse_mesh_source.hpp) and refines
/// it. Bad input: one Error, on every rank.
State set_up(const Comm& comm, const config::Scene& scene);

/// Local. How elements and links limit a step, and what is done about it.
element::StepOptions step_options(const config::Scene& scene);

/// Local. With stiffness chosen where the scene leaves it open. mesh_size: of the unbroken mesh [m].
std::vector<contact::Obstacle> completed_obstacles(const config::Scene& scene, double mesh_size);

}  // namespace sunder::simulation
