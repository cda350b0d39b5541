#pragma once
/// Rigid half-spaces, spheres and boxes: fixed, on a given path, or free with a mass.

#include "core/types.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sunder::rigid {

enum class Shape { half_space, sphere, box };
enum class MotionKind { fixed, path, free };

/// A point of a given path. Between points the position is linear in time; before the first and after the last it is
/// constant.
struct Waypoint {
  double time = 0;               ///< [s]
  Vec3 position = Vec3::Zero();  ///< [m]
};

/// A circular path around an axis. It begins where the body is at the start. The body turns with the path, as if an arm
/// held it.
struct Circle {
  Vec3 center = Vec3::Zero();  ///< A point of the axis. [m]
  Vec3 axis = Vec3::UnitZ();   ///< Right-handed, unit.
  double rate = 0;             ///< [rad/s]
};

/// A rigid body, as the scene describes it.
struct Body {
  std::string name;
  Shape shape = Shape::sphere;
  MotionKind motion = MotionKind::fixed;
  Vec3 position = Vec3::Zero();  ///< Centre of sphere or box, or a point of the half-space's surface. [m]
  Vec3 velocity = Vec3::Zero();  ///< Initial (free), constant when motion is path without waypoints. [m/s]
  Vec3 normal = Vec3::UnitZ();   ///< Half-space: outward unit normal; material is kept on its side.
  double radius = 0;             ///< Sphere. [m]
  Vec3 size = Vec3::Zero();      ///< Box: lengths of its edges. [m]
  Vec3 rotation_axis = Vec3::UnitZ();
  double rotation_angle = 0;     ///< Of the box about its centre, at the start. [rad]
  Vec3 spin = Vec3::Zero();      ///< Angular velocity about its centre: initial (free), constant (path). [rad/s]
  double mass = 0;               ///< Free; > 0, of uniform density. [kg]
  std::vector<Waypoint> path;    ///< MotionKind::path, ascending times.
  std::optional<Circle> circle;  ///< MotionKind::path of a sphere or box, instead of waypoints.
};

}  // namespace sunder::rigid
