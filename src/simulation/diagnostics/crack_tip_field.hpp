#pragma once
/// What linear elasticity has around the tip of a straight crack (Williams, J. Appl. Mech. 24, 1957; Irwin): the first
/// term, of a unit stress intensity. Local, pure.

#include "core/types.hpp"

namespace sunder::simulation {

enum class CrackMode { opening, sliding };  ///< I and II.

struct CrackTipMaterial {
  double mu = 0, nu = 0;  ///< [Pa], [-]
  bool plane_stress = false;

  /// E' of J = (K_I^2 + K_II^2)/E': E/(1 - nu^2) in plane strain, E in plane stress. [Pa]
  double modulus() const noexcept { return 2 * mu * (1 + nu) / (plane_stress ? 1 : 1 - nu * nu); }
};

/// Axes: growth, normal of the crack, along the front. Of K = 1 Pa sqrt(m).
struct CrackTipField {
  Mat3 stress = Mat3::Zero();  ///< [Pa]
  Vec3 slope = Vec3::Zero();   ///< Derivative of displacement in the direction of growth.
};

/// At a point (x, y) [m] from the tip along growth and normal, not the tip itself. The crack is y = 0, x < 0.
CrackTipField crack_tip_field(CrackMode mode, double x, double y, const CrackTipMaterial& m);

}  // namespace sunder::simulation
