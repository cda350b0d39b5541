#pragma once
/// The seam between the laws of elasticity and element/, which computes with them. docs/materials.md.

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
  /// Never below the highest frequency of the element as it is, squared, over that at rest; 1 of a law that does not
  /// stiffen. [-]
  Number stiffening;
};

/// A law of elasticity is one struct of static functions in a file of its own, and one entry of laws.hpp. Its functions
/// are templates over a Number, one element or several at a time (tensor.hpp): no branch may depend on a Number.
///
///   describes(m)                  Is it the law of m? Just one of the table's laws is.
///   num_constants, constants(m)   The numbers it needs of a material.
///   stress(c, F, elastic)         S = 2 dW/d(elastic), as ElasticStress of sigma = 2 S. [Pa]
///   energy(c, F, elastic)         W, per volume of the undeformed material. [J/m^3]
///   plastic_work(c, F, elastic, change)
///                                 sigma : change of the plastic strain, a deviator. [Pa] Not there: the law does not
///                                 go with plasticity, and config/ refuses it.
///   isotropic                     Has it no directions? Then a scene of this law alone has a loop of its own.
///   stiffens                      Does stress() bound the stiffening? If not, only time.safety covers it.
///   Viscosity                     The viscous law beside it (viscosity.hpp).
///
/// c: what constants() made. F: deformation gradient. elastic: F^T F - I less the plastic strain. A tangent
/// dS/dE, which static and implicit solvers will ask for, has the same arguments.
///
/// For small strains each law is S = lambda tr(E) I + 2 mu E, or C : E, with the constants of the Material: wave speed,
/// critical intensity and the stable step at rest follow from these (p_wave_modulus(), critical_intensity(),
/// element/stable_step.hpp).
// It takes requirements for blocks.
// clang-format off
template <class L>
concept ElasticLaw = requires(const Material& m, const std::array<double, L::num_constants>& c, const Matrix<double>& F,
                              const Symmetric<double>& elastic) {
  { L::describes(m) } -> std::same_as<bool>;
  { L::constants(m) } -> std::same_as<std::array<double, L::num_constants>>;
  { L::stress(c, F, elastic) } -> std::same_as<ElasticStress<double>>;
  { L::energy(c, F, elastic) } -> std::same_as<double>;
  { L::isotropic } -> std::convertible_to<bool>;
  { L::stiffens } -> std::convertible_to<bool>;
  L::Viscosity::constants(m);
};
// clang-format on

}  // namespace sunder::material
