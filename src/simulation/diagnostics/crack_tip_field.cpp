#include "simulation/diagnostics/crack_tip_field.hpp"

#include <cmath>
#include <numbers>

namespace sunder::simulation {

CrackTipField crack_tip_field(CrackMode mode, double x, double y, const CrackTipMaterial& m)
{
  const double r = std::hypot(x, y), theta = std::atan2(y, x), nu = m.nu;
  const double kappa = m.plane_stress ? (3 - nu) / (1 + nu) : 3 - 4 * nu;
  const double s = std::sin(theta / 2), c = std::cos(theta / 2), s3 = std::sin(3 * theta / 2),
               c3 = std::cos(3 * theta / 2), st = std::sin(theta), ct = std::cos(theta);
  const double amplitude = 1 / std::sqrt(2 * std::numbers::pi * r);
  double xx = 0, yy = 0, xy = 0;            // stress over the amplitude
  double ux = 0, uy = 0, dux = 0, duy = 0;  // 2 mu u over sqrt(r / 2 pi), and its derivative by theta
  if (mode == CrackMode::opening) {
    xx = c * (1 - s * s3), yy = c * (1 + s * s3), xy = c * s * c3;
    ux = c * (kappa - ct), uy = s * (kappa - ct);
    dux = -s / 2 * (kappa - ct) + c * st, duy = c / 2 * (kappa - ct) + s * st;
  } else {
    xx = -s * (2 + c * c3), yy = s * c * c3, xy = c * (1 - s * s3);
    ux = s * (kappa + 2 + ct), uy = -c * (kappa - 2 + ct);
    dux = c / 2 * (kappa + 2 + ct) - s * st, duy = s / 2 * (kappa - 2 + ct) + c * st;
  }
  const double zz = m.plane_stress ? 0 : nu * (xx + yy);
  CrackTipField field;
  field.stress << xx, xy, 0, xy, yy, 0, 0, 0, zz;
  field.stress *= amplitude;
  // d/dx of sqrt(r) g(theta) is (cos(theta) g/2 - sin(theta) g')/sqrt(r).
  field.slope = amplitude / (2 * m.mu) * Vec3(ct * ux / 2 - st * dux, ct * uy / 2 - st * duy, 0);
  return field;
}

}  // namespace sunder::simulation
