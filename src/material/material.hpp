#pragma once
/// What a material is made of. Conventions: docs/deformation.md, docs/materials.md.

#include "material/stiffness.hpp"
#include "material/toughness.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace sunder::material {

/// General linear elasticity and viscosity, S = C : E + D : dE/dt, 21 constants each (T 3.10, 3.11; sigma = 2 S,
/// eps = 2 E).
class Anisotropy {
public:
  /// C: positive definite [Pa]. D: not negative [Pa s]. Both in the material's own axes, the columns of `axes` in the
  /// mesh; whoever calls has checked them.
  Anisotropy(const Mat6& C, const Mat6& D, const Mat3& axes)
    : own_C_(C), own_D_(D), C_(turned(C, axes)), D_(turned(D, axes))
  {
  }
  const Mat6& own_C() const noexcept { return own_C_; }
  const Mat6& own_D() const noexcept { return own_D_; }
  const Mat6& C() const noexcept { return C_; }  ///< In the axes of the mesh.
  const Mat6& D() const noexcept { return D_; }

private:
  Mat6 own_C_, own_D_, C_, D_;
};

/// How stress grows with deformation. For small strains all laws agree. laws.hpp has what each computes.
enum class Law : std::uint8_t { saint_venant_kirchhoff, neo_hookean };

/// Elasticity, Kelvin-Voigt viscosity, kinematic plasticity and toughness.
/// Lame constants are the textbook ones (S = lambda tr(E) I + 2 mu E for small strains).
struct Material {
  std::string name;
  Law law = Law::saint_venant_kirchhoff;
  double lambda = 0;   ///< [Pa]
  double mu = 0;       ///< [Pa], > 0
  double phi = 0;      ///< viscosity that goes with lambda [Pa s]
  double psi = 0;      ///< viscosity that goes with mu [Pa s]
  double density = 0;  ///< [kg/m^3], > 0
  /// Plasticity thresholds on the Frobenius norm of the deviator of eps = F^T F - I. Infinite: elastic.
  double k1 = std::numeric_limits<double>::infinity();
  double k2 = std::numeric_limits<double>::infinity();
  /// In the unit of its form, tau [N] if that is force; infinite: unbreakable.
  double toughness = std::numeric_limits<double>::infinity();
  double residual = 0;  ///< alpha in [0, 1], share of the residual passed on to the crack tip
  std::string source;   ///< Where the numbers come from.

  Mat3 axes = Mat3::Identity();          ///< Columns: the material's own axes in the mesh.
  std::optional<Anisotropy> anisotropy;  ///< Not empty: instead of lambda, mu, phi, psi; made with `axes`.
  ToughnessForm toughness_form = ToughnessForm::force;
  std::optional<Weibull> weibull;
  /// S of T 4.8: stress along each of the columns of toughness_axes counts this much towards failure.
  Vec3 toughness_scale = Vec3::Ones();
  Mat3 toughness_axes = Mat3::Identity();

  bool plastic() const noexcept { return k1 < std::numeric_limits<double>::infinity(); }
  bool breakable() const noexcept { return toughness < std::numeric_limits<double>::infinity(); }
  /// Does it break more easily along some axes than others?
  bool directional_toughness() const noexcept { return toughness_scale != Vec3::Ones(); }
  bool has_directions() const noexcept { return anisotropy.has_value() || directional_toughness(); }
  /// Of a wave along an axis; the greatest of the three if they differ. [Pa]
  double p_wave_modulus() const noexcept
  {
    return anisotropy ? anisotropy->own_C().diagonal().head<3>().maxCoeff() : lambda + 2 * mu;
  }
};

/// K_Ic [Pa sqrt(m)] of a material whose toughness is K_Ic or G_c: K^2 = G_c E / (1 - nu^2), plane strain. Elasticity
/// is isotropic if it is G_c.
double critical_intensity(const Material& m);

/// R^T S R of T 4.8 in the axes of the mesh: sigma* = weakness sigma weakness.
Mat3 weakness(const Material& m);

/// The same material in a body that has been turned by R: its axes turn with it.
Material turned(Material m, const Mat3& R);

/// Is R, to round-off of numbers written with a few digits, a rotation?
bool is_rotation(const Mat3& R);

}  // namespace sunder::material
