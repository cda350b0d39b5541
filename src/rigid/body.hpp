#pragma once
/// Rigid half-spaces, spheres, boxes, cylinders, capsules and solids with a surface of triangles: fixed, on a given
/// path, or free with a mass. Plain data, the same on every rank.

#include "core/types.hpp"
#include "geometry/closed_surface.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sunder::rigid {

enum class Shape { half_space, sphere, box, cylinder, capsule, mesh };
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
  /// Centre of the shape, a point of the half-space's surface, or the origin of the mesh. [m]
  Vec3 position = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();  ///< Initial (free), constant when motion is path without waypoints. [m/s]
  Vec3 normal = Vec3::UnitZ();   ///< Half-space: outward unit normal; material is kept on its side.
  double radius = 0;             ///< Sphere, cylinder, capsule. [m]
  double length = 0;             ///< Cylinder: of its axis; capsule: between the centres of its ends. [m]
  Vec3 axis = Vec3::UnitZ();     ///< Of cylinder and capsule at the start, unit.
  Vec3 size = Vec3::Zero();      ///< Box: lengths of its edges. [m]
  Vec3 rotation_axis = Vec3::UnitZ();
  double rotation_angle = 0;     ///< Of a box about its centre, of a mesh about its origin, at the start. [rad]
  Vec3 spin = Vec3::Zero();      ///< Angular velocity about its centre: initial (free), constant (path). [rad/s]
  double mass = 0;               ///< Free; > 0, of uniform density. [kg]
  std::vector<Waypoint> path;    ///< MotionKind::path, ascending times.
  std::optional<Circle> circle;  ///< MotionKind::path of what is no half-space, instead of waypoints.
  std::string file;              ///< Mesh: of its surface.
  double scale = 1;              ///< Mesh: multiplies the coordinates in the file.
  std::shared_ptr<const geometry::ClosedSurface> surface;  ///< Mesh: read from file and scaled.
};

}  // namespace sunder::rigid
