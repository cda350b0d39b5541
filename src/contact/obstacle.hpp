#pragma once
/// Rigid obstacles: half-spaces and spheres, fixed, on a given path, or free with a mass.

#include "contact/response.hpp"
#include "core/types.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sunder::contact {

enum class Shape { half_space, sphere };
enum class Motion { fixed, path, free };

/// A waypoint of a given path; position is linear in time between waypoints and constant outside.
struct Waypoint {
  double time = 0;               ///< [s]
  Vec3 position = Vec3::Zero();  ///< [m]
};

/// A given path around an axis, from where the obstacle is at the start.
struct Circle {
  Vec3 center = Vec3::Zero();  ///< A point of the axis. [m]
  Vec3 axis = Vec3::UnitZ();   ///< Right-handed, unit.
  double rate = 0;             ///< [rad/s]
};

struct Obstacle {
  std::string name;
  Shape shape = Shape::sphere;
  Motion motion = Motion::fixed;
  Vec3 position = Vec3::Zero();  ///< Centre of the sphere, or a point of the half-space's surface. [m]
  Vec3 velocity = Vec3::Zero();  ///< Initial (free), constant when motion is path without waypoints. [m/s]
  Vec3 normal = Vec3::UnitZ();   ///< Half-space: outward unit normal; material is kept on its side.
  double radius = 0;             ///< Sphere. [m]
  double mass = 0;               ///< Free sphere; > 0. [kg]
  std::vector<Waypoint> path;    ///< Motion::path, ascending times.
  std::optional<Circle> circle;  ///< Motion::path of a sphere, instead.
  Response response;
};

}  // namespace sunder::contact
