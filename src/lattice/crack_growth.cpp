#include "lattice/crack_growth.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sunder::lattice {

double curve_value(std::span<const CurvePoint> curve, double at)
{
  const auto next = std::find_if(curve.begin(), curve.end(), [at](const CurvePoint& p) { return p.at >= at; });
  if (next == curve.begin()) return curve.front().value;
  if (next == curve.end()) return curve.back().value;
  const CurvePoint &from = *(next - 1), &to = *next;
  return from.value + (to.value - from.value) * ((at - from.at) / (to.at - from.at));
}

double growth_factor(const CrackGrowth& growth, double theta)
{
  if (!growth.table.empty()) return curve_value(growth.table, theta / (std::numbers::pi / 2));
  return growth.a - growth.b * std::cos(growth.c * theta);
}

void weaken(const Bonds& bonds, std::span<const char> broken, std::span<const char> just_now, const CrackGrowth& growth,
            std::span<double> strengths)
{
  for (LocalIndex b = 0; b < bonds.num_owned; ++b) {
    const auto own = static_cast<std::size_t>(b);
    if (broken[own] != 0) continue;
    for (const LocalIndex c : bonds.adjacent_to(b)) {
      const auto other = static_cast<std::size_t>(c);
      if (just_now[other] == 0) continue;
      const double cosine = std::abs(bonds.directions[own].dot(bonds.directions[other]));
      strengths[own] *= growth_factor(growth, std::acos(std::min(1.0, cosine)));
    }
  }
}

}  // namespace sunder::lattice
