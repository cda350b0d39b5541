#pragma once
/// What a material is made of. Conventions: docs/deformation.md.

#include <limits>
#include <string>

namespace sunder::material {

/// St. Venant-Kirchhoff elasticity, Kelvin-Voigt viscosity, kinematic plasticity and toughness.
/// Lame constants are the textbook ones (S = lambda tr(E) I + 2 mu E).
struct Material {
  std::string name;
  double lambda = 0;   ///< [Pa]
  double mu = 0;       ///< [Pa], > 0
  double phi = 0;      ///< viscosity that goes with lambda [Pa s]
  double psi = 0;      ///< viscosity that goes with mu [Pa s]
  double density = 0;  ///< [kg/m^3], > 0
  /// Plasticity thresholds on the Frobenius norm of the deviator of eps = F^T F - I. Infinite: elastic.
  double k1 = std::numeric_limits<double>::infinity();
  double k2 = std::numeric_limits<double>::infinity();
  double toughness = std::numeric_limits<double>::infinity();  ///< tau [N]; infinite: unbreakable
  double residual = 0;  ///< alpha in [0, 1], share of the residual passed on to the crack tip
  std::string source;   ///< Where the numbers come from.

  bool plastic() const noexcept { return k1 < std::numeric_limits<double>::infinity(); }
  bool breakable() const noexcept { return toughness < std::numeric_limits<double>::infinity(); }
  double p_wave_modulus() const noexcept { return lambda + 2 * mu; }  ///< [Pa]
};

}  // namespace sunder::material
