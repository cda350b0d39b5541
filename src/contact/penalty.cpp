#include "contact/penalty.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {

double default_stiffness(double p_wave_modulus, double mesh_size) { return p_wave_modulus / mesh_size; }

double penalty_step(double stiffness, double element_mass, const std::array<Vec3, 4>& x)
{
  double area = 0;
  for (std::size_t left_out = 0; left_out < 4; ++left_out) {
    const Vec3 &a = x[(left_out + 1) % 4], &b = x[(left_out + 2) % 4], &c = x[(left_out + 3) % 4];
    area = std::max(area, 0.5 * (b - a).cross(c - a).norm());
  }
  return std::sqrt(element_mass / (stiffness * area));
}

}  // namespace sunder::contact
