#pragma once
/// Obstacles that the elements of a scene are too large for.

#include "config/scene.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

/// Local. A warning for each obstacle that is thinner than an edge of the mesh: elements may swallow it and let it
/// through (docs/contact.md). None with solvers of rigid elements, whose contact is another.
/// @param mesh_size  mean edge of the refined mesh [m]
std::vector<std::string> notes_on_small_obstacles(const config::Scene& scene, double mesh_size);

}  // namespace sunder::simulation
