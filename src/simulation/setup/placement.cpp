#include "simulation/setup/placement.hpp"

#include <Eigen/Geometry>

namespace sunder::simulation {

Placement::Placement(const config::Body& body)
  : rotation_(Eigen::AngleAxisd(body.rotation_angle, body.rotation_axis.normalized()).toRotationMatrix()),
    scale_(body.mesh.scale),
    position_(body.position)
{
}

bool spins(const config::Body& body)
{
  return !body.spin.isZero(0);
}

Vec3 initial_velocity(const config::Body& body, const Vec3& x, const Vec3& centre)
{
  Vec3 velocity = spins(body) ? Vec3(body.velocity + body.spin.cross(x - centre)) : body.velocity;
  if (!body.velocity_gradient.isZero(0)) velocity += body.velocity_gradient * (x - body.velocity_center);
  return velocity;
}

std::array<double, 4> mass_and_moment(const std::array<Vec3, 4>& x, double density)
{
  const double mass = density * (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6;
  const Vec3 moment = mass / 4 * (x[0] + x[1] + x[2] + x[3]);
  return {mass, moment.x(), moment.y(), moment.z()};
}

}  // namespace sunder::simulation
