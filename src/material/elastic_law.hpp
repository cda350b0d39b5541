#pragma once
/// The interface of a law of elasticity, through which element/ computes with it. docs/materials.md. Local, pure.

#include "material/material.hpp"
#include "material/tensor.hpp"

#include <array>
#include <concepts>

namespace sunder::material {

/// Elastic part of sigma = 2 S: isotropic I + rest [Pa]. Viscosity adds its own isotropic part to this one first.
template <class Number>
struct ElasticStress {
  Number isotropic;
  Symmetric<Number> rest;
  /// An upper bound of the element's highest frequency in its present state, squared, over that at rest, squared. 1 for
  /// a law that does not stiffen. [-]
  Number stiffening;
};

/// A law of elasticity is one struct of static functions, in a file of its own, and one entry in laws.hpp. Its
/// functions are templates over a Number, which is one element or several at a time (tensor.hpp). So no branch may
/// depend on a Number.
///
///   describes(m)                  Is it the law of m? Exactly one law of the table must be.
///   num_constants, constants(m)   The constants it needs of a material.
///   stress(c, F, elastic)         S = 2 dW/d(elastic), as ElasticStress of sigma = 2 S. [Pa]
///   stress_change(c, elastic, change)
///                                 Of sigma [Pa], to first order, for a change of `elastic`.
///   energy(c, F, elastic)         W, per volume of the undeformed material. [J/m^3]
///   plastic_work(c, F, elastic, change)
///                                 sigma : change of the plastic strain, a deviator [Pa]. Optional: a law without it
///                                 has no plasticity, and config/ refuses a plastic material with it.
///   isotropic                     true: a scene with this law alone gets a loop compiled for it.
///   stiffens                      true: stress() computes ElasticStress::stiffening.
///                                 false: only time.safety covers it.
///
///   Viscosity                     The viscous law that goes with it (viscosity.hpp).
///
/// c: result of constants(). F: deformation gradient. elastic: F^T F - I less the plastic strain.
///
/// For small strains each law is S = lambda tr(E) I + 2 mu E, or C : E, with the constants of the Material: wave speed,
/// critical intensity and the stable step at rest follow from these (p_wave_modulus(), critical_intensity(),
/// element/stable_step.hpp).
// clang-format would take the requirements for blocks.
// clang-format off
template <class L>
concept ElasticLaw = requires(const Material& m, const std::array<double, L::num_constants>& c, const Matrix<double>& F,
                              const Symmetric<double>& elastic) {
  { L::describes(m) } -> std::same_as<bool>;
  { L::constants(m) } -> std::same_as<std::array<double, L::num_constants>>;
  { L::stress(c, F, elastic) } -> std::same_as<ElasticStress<double>>;
  { L::stress_change(c, elastic, elastic) } -> std::same_as<Symmetric<double>>;
  { L::energy(c, F, elastic) } -> std::same_as<double>;
  { L::isotropic } -> std::convertible_to<bool>;
  { L::stiffens } -> std::convertible_to<bool>;
  L::Viscosity::constants(m);
};

/// A law that plastic flow goes with.
template <class L>
concept PlasticLaw = requires(const std::array<double, L::num_constants>& c, const Matrix<double>& F,
                              const Symmetric<double>& elastic) {
  { L::plastic_work(c, F, elastic, elastic) } -> std::same_as<double>;
};
// clang-format on

}  // namespace sunder::material
