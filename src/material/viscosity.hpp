#pragma once
/// Kelvin-Voigt viscosity, which is added to any law of elasticity, T 3.11. docs/deformation.md. Local, pure.

#include "material/elastic_law.hpp"
#include "material/linear_map.hpp"

namespace sunder::material {

/// The sum of elastic and viscous stress.
template <class Number>
struct Stress {
  Symmetric<Number> sigma;  ///< 2 S [Pa]
  Number viscous_power;     ///< 4/vol times the viscous power [W/m^3]
};

/// sigma = phi tr(nu) I + 2 psi nu.
struct IsotropicViscosity {
  static constexpr std::size_t num_constants = 2;
  static std::array<double, num_constants> constants(const Material& m) { return {m.phi, 2 * m.psi}; }

  /// factor: of the viscosity cap, on the constants. nu = F^T Fdot + Fdot^T F.
  template <class Number>
  [[gnu::always_inline]] static Stress<Number> add(const std::array<Number, num_constants>& c, Number factor,
                                                   const ElasticStress<Number>& elastic, const Symmetric<Number>& nu)
  {
    const Number phi = c[0] * factor, two_psi = c[1] * factor, nu_trace = trace(nu);
    return {plus(isotropic_plus(elastic.isotropic + phi * nu_trace, elastic.rest), two_psi, nu),
            phi * nu_trace * nu_trace + two_psi * dot(nu, nu)};
  }

  /// Of viscous stress, for a change of nu.
  template <class Number>
  [[gnu::always_inline]] static Symmetric<Number> stress_change(const std::array<Number, num_constants>& c,
                                                                Number factor, const Symmetric<Number>& change)
  {
    return isotropic_plus(c[0] * factor * trace(change), times(c[1] * factor, change));
  }
};

/// sigma = D : nu, for a material with `anisotropy`. Its elastic law puts all stress into ElasticStress::rest.
struct GeneralViscosity {
  static constexpr std::size_t num_constants = num_map_constants;
  static std::array<double, num_constants> constants(const Material& m) { return map_constants(m.anisotropy->D()); }

  template <class Number>
  [[gnu::always_inline]] static Stress<Number> add(const std::array<Number, num_constants>& D, Number factor,
                                                   const ElasticStress<Number>& elastic, const Symmetric<Number>& nu)
  {
    const Symmetric<Number> viscous = times(factor, contracted(D, nu));
    return {plus(elastic.rest, Number{} + 1, viscous), dot(viscous, nu)};
  }

  template <class Number>
  [[gnu::always_inline]] static Symmetric<Number> stress_change(const std::array<Number, num_constants>& D,
                                                                Number factor, const Symmetric<Number>& change)
  {
    return times(factor, contracted(D, change));
  }
};

}  // namespace sunder::material
