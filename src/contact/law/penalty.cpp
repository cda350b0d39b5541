#include "contact/law/penalty.hpp"

#include "rigid/motion.hpp"

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

namespace {

/// The greatest of k A / m over the ways to move and to turn, for springs all over the surface.
double spring_area(const Obstacle& obstacle)
{
  constexpr double pi = std::numbers::pi;
  const Vec3& size = obstacle.size;
  const double r = obstacle.radius, l = obstacle.length;
  switch (obstacle.shape) {
    case rigid::Shape::box:
      return 2 * size.prod() / size.minCoeff();
    case rigid::Shape::cylinder:
      return std::max({pi * r * l, 2 * pi * r * r, pi * (r * l * l * l + 6 * r * r * r * r) / (l * l + 3 * r * r)});
    case rigid::Shape::capsule: {
      const double turning = pi * (r * r * l * l / 3 + r * l * l * l / 12);
      return std::max(pi * r * l + 4 * pi / 3 * r * r,
                      turning * obstacle.mass / rigid::principal_inertia(obstacle).x());
    }
    case rigid::Shape::mesh:
      return obstacle.surface->spring_area();
    case rigid::Shape::half_space:
    case rigid::Shape::sphere:
      break;
  }
  return 4 * pi / 3 * r * r;
}

}  // namespace

double obstacle_step(const Obstacle& obstacle)
{
  const double area = spring_area(obstacle);
  return 2 * std::sqrt(obstacle.mass / (obstacle.response.stiffness * area));
}

}  // namespace sunder::contact
