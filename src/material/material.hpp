#pragma once
/// What a material is made of. Conventions: docs/deformation.md, docs/materials.md. Local; every rank has the same
/// materials.

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
  /// C: positive definite [Pa]. D: no negative eigenvalue [Pa s]. Both are in the material's own axes, the columns of
  /// `axes`, which are given in the axes of the mesh. The caller must have checked all three.
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

/// The law of elasticity. For small strains all agree. laws.hpp lists their formulas.
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
  ReferenceSize reference;  ///< Of a toughness that is a force.
  double residual = 0;      ///< alpha in [0, 1], share of the residual passed on to the crack tip
  std::string source;       ///< Where the numbers come from.

  Mat3 axes = Mat3::Identity();          ///< Columns: the material's own axes in the mesh.
  std::optional<Anisotropy> anisotropy;  ///< If set: used instead of lambda, mu, phi, psi; made with `axes`.
  ToughnessForm toughness_form = ToughnessForm::force;
  Cohesion cohesion;  ///< Beside a toughness that is a stress.
  std::optional<Weibull> weibull;
  /// S of T 4.8: factors on the stress along the columns of toughness_axes, as far as failure is concerned.
  Vec3 toughness_scale = Vec3::Ones();
  Mat3 toughness_axes = Mat3::Identity();

  bool plastic() const noexcept { return k1 < std::numeric_limits<double>::infinity(); }
  bool viscous() const noexcept { return phi != 0 || psi != 0 || anisotropy.has_value(); }
  bool is_force() const noexcept { return toughness_form == ToughnessForm::force && breakable(); }
  bool breakable() const noexcept { return toughness < std::numeric_limits<double>::infinity(); }
  /// Does toughness have directions?
  bool directional_toughness() const noexcept { return toughness_scale != Vec3::Ones(); }
  bool has_directions() const noexcept { return anisotropy.has_value() || directional_toughness(); }
  /// Modulus of a longitudinal wave along an axis [Pa]; the greatest of the three axes if they differ.
  double p_wave_modulus() const noexcept
  {
    return anisotropy ? anisotropy->own_C().diagonal().head<3>().maxCoeff() : lambda + 2 * mu;
  }
};

/// K_Ic [Pa sqrt(m)] of a material whose toughness is given as K_Ic or as G_c. From G_c: K^2 = G_c E / (1 - nu^2),
/// plane strain; elasticity must then be isotropic.
double critical_intensity(const Material& m);

/// G_c [J/m^2] of such a material, which must be isotropic in elasticity: the inverse of that relation. Of one with a
/// strength and an energy: its energy.
double critical_energy(const Material& m);

/// E G_c / (strength^2 (1 - nu^2)) [m] of a material with a strength and an energy: about as long as the zone before a
/// crack in which links hold. With directions of elasticity the modulus of a longitudinal wave stands for E/(1 - nu^2).
double process_zone(const Material& m);
/// The same of the interface of two materials, with the smaller modulus of theirs.
double process_zone(const Interface& interface, const Material& a, const Material& b);

/// c_R [m/s] of waves along a free surface, which no crack that opens outruns (Freund 1990): the root of
/// (2 - x)^2 = 4 sqrt(1 - x) sqrt(1 - x mu/(lambda + 2 mu)), x = rho c_R^2/mu. NaN if elasticity has directions.
double rayleigh_speed(const Material& m);

/// The matrix R^T S R of T 4.8, in the axes of the mesh: sigma* = weakness(m) sigma weakness(m).
Mat3 weakness(const Material& m);

/// The same material in a body that has been turned by R. The material's axes turn with the body.
Material turned(Material m, const Mat3& R);

/// Is R a rotation, up to the round-off of numbers written with a few digits?
bool is_rotation(const Mat3& R);

}  // namespace sunder::material
