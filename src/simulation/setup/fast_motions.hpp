#pragma once
/// Motions of a scene that are faster than solids can follow.

#include "config/scene.hpp"

#include <span>
#include <string>
#include <vector>

namespace sunder::simulation {

/// Local. The greatest speed that an obstacle is given before the end [m/s]; of a free one the speed at the start.
double given_speed(const rigid::Body& obstacle, double end);

/// Local. A warning for each body, obstacle and boundary condition that moves faster than sound in a material of the
/// scene: more often their numbers are in other units. None with solvers that know no waves.
/// @param fastest_node  speed of a node of the bodies at the start, all that is given counted [m/s]
std::vector<std::string> notes_on_fast_motions(const config::Scene& scene, double fastest_node);

/// Local. The greatest of these [m/s].
double greatest_speed(std::span<const Vec3> velocities);

}  // namespace sunder::simulation
