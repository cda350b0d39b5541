#pragma once
/// Obstacles that the elements of a scene are too large for.

#include "config/scene.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

/// Local. Edges of the box around a rigid body, along its own axes [m]; infinite of a half-space.
Vec3 edges_of_box(const rigid::Body& body);

/// Local. A warning for each obstacle that is thinner than an edge of the mesh: elements may swallow it and let it
/// through (docs/contact.md). None with solvers of rigid elements, whose contact is another.
/// @param mesh_size  mean edge of the refined mesh [m]
std::vector<std::string> notes_on_small_obstacles(const config::Scene& scene, double mesh_size);

}  // namespace sunder::simulation
