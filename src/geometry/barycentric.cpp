#include "geometry/barycentric.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::geometry {

Barycentric barycentric(const Mat34& p)
{
  Barycentric b;
  b.origin = p.col(0);
  const Vec3 x = p.col(1) - b.origin, y = p.col(2) - b.origin, z = p.col(3) - b.origin;
  const Vec3 yz = y.cross(z);
  const double determinant = yz.dot(x);
  const double edge = std::max({x.squaredNorm(), y.squaredNorm(), z.squaredNorm()});
  if (!(std::abs(determinant) > 1e-14 * edge * std::sqrt(edge))) return b;  // also if not a number
  b.volume = determinant / 6;
  b.gradient.col(1) = yz / determinant;
  b.gradient.col(2) = z.cross(x) / determinant;
  b.gradient.col(3) = x.cross(y) / determinant;
  b.gradient.col(0) = -(b.gradient.col(1) + b.gradient.col(2) + b.gradient.col(3));
  return b;
}

}  // namespace sunder::geometry
