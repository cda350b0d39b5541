#include "material/toughness.hpp"

#include "core/hash.hpp"

#include <cmath>

namespace sunder::material {

double weibull_factor(const Weibull& w, const Vec3& X, double volume)
{
  const double edge = std::cbrt(w.volume);
  std::uint64_t h = combine(0, static_cast<std::uint64_t>(w.seed));
  for (int axis = 0; axis < 3; ++axis)
    h = combine(h, static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(X[axis] / edge))));
  const double U = (static_cast<double>(h >> 11) + 0.5) * 0x1p-53;  // in (0, 1)
  const double cubes = std::max(1.0, volume / w.volume);
  return std::pow(-std::log(U) / cubes, 1 / w.modulus);
}

}  // namespace sunder::material
