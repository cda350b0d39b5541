#include "contact/law/penalty.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sunder::contact {

double default_stiffness(double p_wave_modulus, double mesh_size)
{
  return p_wave_modulus / mesh_size;
}

double penalty_step(double stiffness, double element_mass, const std::array<Vec3, 4>& corners)
{
  const auto& [a, b, c, d] = corners;
  const double twice_area = std::max({(b - a).cross(c - a).norm(), (b - a).cross(d - a).norm(),
                                      (c - a).cross(d - a).norm(), (c - b).cross(d - b).norm()});
  return std::sqrt(element_mass / (stiffness * twice_area / 2));
}

double obstacle_step(const Obstacle& obstacle)
{
  const Vec3& size = obstacle.size;
  const double area = obstacle.shape == rigid::Shape::box
                          ? 2 * size.prod() / size.minCoeff()
                          : 4 * std::numbers::pi / 3 * obstacle.radius * obstacle.radius;
  return 2 * std::sqrt(obstacle.mass / (obstacle.response.stiffness * area));
}

}  // namespace sunder::contact
