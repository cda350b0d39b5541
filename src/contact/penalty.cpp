#include "contact/penalty.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace sunder::contact
