#include "element/link_stiffness.hpp"

#include "element/softening.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::element {

Mat3 link_stiffness(const CohesiveLink& link, const Vec3& opening, TangentKind kind, bool softens)
{
  const Vec3 u = opening + link.offset();
  const double k = link.law().stiffness, beta = link.law().cohesion.shear_ratio;
  const bool pressed = u.z() < 0;
  const Vec3 weights(beta * beta, beta * beta, pressed ? 0 : 1);
  const Vec3 pull = weights.cwiseProduct(u);  // g times the slope of the effective opening
  const double effective = std::sqrt(u.dot(pull)), greatest = std::max(link.greatest(), effective);
  Mat3 K = Mat3::Zero();
  if (pressed) K(2, 2) = k;
  if (greatest >= link.final_opening()) return K;
  const double full = link.strength() / k, range = link.final_opening() - full;
  const double s = std::clamp((greatest - full) / range, 0.0, 1.0);
  const auto softening = link.law().cohesion.softening;
  const double secant = greatest > full ? link.strength() * softened(softening, s).left / greatest : k;
  K.diagonal() += secant * weights;
  if ((softens || link.pull(opening).opening > link.greatest()) && effective > 0 &&
      kind != TangentKind::positive_definite) {
    const double slope = link.strength() * softening_slope(softening, s) / range;  // of the force with g
    const double factor = (slope - secant) / (effective * effective);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K(i, j) += factor * (pull[i] * pull[j]);  // symmetric to the last bit
  }
  return K;
}

}  // namespace sunder::element
