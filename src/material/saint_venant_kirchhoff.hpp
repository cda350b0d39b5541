#pragma once
/// St. Venant-Kirchhoff elasticity: S = C : E, linear in the Green strain. It is the elasticity of the sources,
/// T 3.9-3.11. It softens when squeezed: a finite force crushes an element flat. Local, pure.

#include "material/viscosity.hpp"

namespace sunder::material {

/// C : E = lambda tr(E) I + 2 mu E.
struct SaintVenantKirchhoff {
  static constexpr bool isotropic = true, stiffens = false;
  static constexpr std::size_t num_constants = 2;
  using Viscosity = IsotropicViscosity;

  static bool describes(const Material& m) { return m.law == Law::saint_venant_kirchhoff && !m.anisotropy; }
  static std::array<double, num_constants> constants(const Material& m) { return {m.lambda, 2 * m.mu}; }

  template <class Number>
  [[gnu::always_inline]] static ElasticStress<Number> stress(const std::array<Number, num_constants>& c,
                                                             const Matrix<Number>& /*F*/,
                                                             const Symmetric<Number>& elastic)
  {
    const auto& [lambda, two_mu] = c;
    return {lambda * trace(elastic), times(two_mu, elastic), Number{} + 1};
  }

  template <class Number>
  [[gnu::always_inline]] static Symmetric<Number> stress_change(const std::array<Number, num_constants>& c,
                                                                const Symmetric<Number>& /*elastic*/,
                                                                const Symmetric<Number>& change)
  {
    return isotropic_plus(c[0] * trace(change), times(c[1], change));
  }

  template <class Number>
  [[gnu::always_inline]] static Number energy(const std::array<Number, num_constants>& c, const Matrix<Number>& /*F*/,
                                              const Symmetric<Number>& elastic)
  {
    const auto& [lambda, two_mu] = c;
    const Number tr = trace(elastic);
    return 0.125 * (lambda * tr * tr + two_mu * dot(elastic, elastic));
  }

  template <class Number>
  [[gnu::always_inline]] static Number plastic_work(const std::array<Number, num_constants>& c,
                                                    const Matrix<Number>& /*F*/, const Symmetric<Number>& elastic,
                                                    const Symmetric<Number>& change)
  {
    return c[1] * dot(elastic, change);
  }
};

/// C of a material with `anisotropy`.
struct GeneralSaintVenantKirchhoff {
  static constexpr bool isotropic = false, stiffens = false;
  static constexpr std::size_t num_constants = num_map_constants;
  using Viscosity = GeneralViscosity;

  static bool describes(const Material& m) { return m.law == Law::saint_venant_kirchhoff && m.anisotropy; }
  static std::array<double, num_constants> constants(const Material& m) { return map_constants(m.anisotropy->C()); }

  template <class Number>
  [[gnu::always_inline]] static ElasticStress<Number> stress(const std::array<Number, num_constants>& C,
                                                             const Matrix<Number>& /*F*/,
                                                             const Symmetric<Number>& elastic)
  {
    return {Number{}, contracted(C, elastic), Number{} + 1};
  }

  template <class Number>
  [[gnu::always_inline]] static Symmetric<Number> stress_change(const std::array<Number, num_constants>& C,
                                                                const Symmetric<Number>& /*elastic*/,
                                                                const Symmetric<Number>& change)
  {
    return contracted(C, change);
  }

  template <class Number>
  [[gnu::always_inline]] static Number energy(const std::array<Number, num_constants>& C, const Matrix<Number>& /*F*/,
                                              const Symmetric<Number>& elastic)
  {
    return 0.125 * dot(contracted(C, elastic), elastic);
  }

  template <class Number>
  [[gnu::always_inline]] static Number plastic_work(const std::array<Number, num_constants>& C,
                                                    const Matrix<Number>& /*F*/, const Symmetric<Number>& elastic,
                                                    const Symmetric<Number>& change)
  {
    return dot(change, contracted(C, elastic));
  }
};

}  // namespace sunder::material
