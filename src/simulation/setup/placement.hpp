#pragma once
/// Where a body of the scene stands, and how it moves at first.

#include "config/scene.hpp"
#include "geometry/box.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

/// Local. Scaled, turned and moved as the scene says.
class Placement {
public:
  explicit Placement(const config::Body& body);

  Vec3 operator()(const Vec3& x) const { return rotation_ * (scale_ * x) + position_; }
  const Mat3& rotation() const noexcept { return rotation_; }

private:
  Mat3 rotation_;
  double scale_ = 1;
  Vec3 position_;
};

/// Local. Initial velocity [m/s] of a point x of a body (in the world): velocity, spin and gradient; centre: of the
/// body's mass, asked for only if the body spins.
Vec3 initial_velocity(const config::Body& body, const Vec3& x, const Vec3& centre);
bool spins(const config::Body& body);

/// Mass of an element [kg] and mass times its centre [kg m]: what a centre of mass is summed up of. corners: in the
/// world.
std::array<double, 4> mass_and_moment(const std::array<Vec3, 4>& corners, double density);

/// Local. Notes bodies of a size that solids are seldom simulated in, materials through which sound goes as in no
/// solid or whose toughness no solid has, and angles of more than a turn: more often their mesh, or their numbers, are
/// in other units. boxes: around each body, in the world.
void note_units(const config::Scene& scene, const std::vector<geometry::Box>& boxes, std::vector<std::string>& notes);

}  // namespace sunder::simulation
