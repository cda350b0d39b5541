#include "geometry/barycentric.hpp"

#include "core/four.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace sunder::geometry {
namespace {

double dot(Four a, Four b)
{
  const Four products = a * b;
  return products[0] + products[1] + products[2];
}

}  // namespace

Barycentric barycentric(const Mat34& p)
{
  Barycentric b;
  b.origin = p.col(0);
  const auto corner = [&p](int a) { return Four{p(0, a), p(1, a), p(2, a), 0}; };
  const Four x = corner(1) - corner(0), y = corner(2) - corner(0), z = corner(3) - corner(0);
  const Four yz = cross(y, z);
  const double determinant = dot(yz, x);
  const double edge = std::max({dot(x, x), dot(y, y), dot(z, z)});
  if (!(std::abs(determinant) > 1e-14 * edge * std::sqrt(edge))) return b;  // also if not a number
  b.volume = determinant / 6;
  const Four of_1 = yz / determinant, of_2 = cross(z, x) / determinant, of_3 = cross(x, y) / determinant;
  const std::array<Four, 4> rows = transposed(-(of_1 + of_2 + of_3), of_1, of_2, of_3);
  std::memcpy(b.gradient.data(), rows.data(), sizeof b.gradient);  // which need not be as aligned
  return b;
}

}  // namespace sunder::geometry
