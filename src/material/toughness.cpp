#include "material/toughness.hpp"

#include "core/hash.hpp"

#include <cmath>

namespace sunder::material {

double force_at(double force, const ReferenceSize& reference, double h)
{
  if (reference.kind != ReferenceSize::Kind::given) return force;
  const double ratio = h / reference.size;
  return force * (ratio * std::sqrt(ratio));
}

double refined_force(double force, const ReferenceSize& reference, int levels)
{
  if (reference.kind != ReferenceSize::Kind::unrefined) return force;
  const double whole = std::ldexp(force, -3 * (levels / 2));
  return levels % 2 == 0 ? whole : whole * std::sqrt(0.125);
}

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
