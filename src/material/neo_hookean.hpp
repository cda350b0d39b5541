#pragma once
/// Compressible neo-Hookean elasticity, for rubber and anything that is stretched or squeezed far:
///
///   W = mu/2 (tr C - 3) - mu ln J + lambda/2 (ln J)^2,   S = mu (I - C^-1) + lambda ln J C^-1,   C = F^T F, J = det F
///
/// Bonet & Wood, Nonlinear Continuum Mechanics for Finite Element Analysis (2nd ed., 2008), section 6.4.3. It takes
/// infinite energy to crush an element flat. W depends on C alone, so an inverted element pushes as its mirror image
/// would. Local, pure.

#include "material/viscosity.hpp"

#include <bit>

namespace sunder::material {

/// ln(1 + q), and q - ln(1 + q), both accurate to the last digits for small q.
template <class Number>
struct Logarithm {
  Number value, remainder;
};

/// q > -1, normal numbers. The polynomial is that of fdlibm's e_log.c (Sun Microsystems, 1993): error below 1 ulp.
template <class Number>
[[gnu::always_inline]] inline Logarithm<Number> logarithm(Number q)
{
  using Bits = typename BitsOf<Number>::type;
  constexpr std::uint64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e00000000, fraction = 0x000fffffffffffff;
  // 1 + q = 2^k (1 + f), and 1 + f between the root of 1/2 and that of 2.
  const Bits shifted = std::bit_cast<Bits>(Number(1 + q)) + (one - root_half);
  const Number k = std::bit_cast<Number>(Bits((shifted >> 52) | 0x4330000000000000)) - (0x1p52 + 1023);
  const Number f = k == 0 ? q : std::bit_cast<Number>(Bits((shifted & fraction) + root_half)) - 1;

  const Number s = f / (2 + f), z = s * s, w = z * z;
  const Number R = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01)) +
                   z * (6.666666666666735130e-01 +
                        w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const Number half_square = 0.5 * f * f, less = half_square - s * (half_square + R);  // f less ln(1 + f)
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  const Number value = k * ln2_high + (f - (less - k * ln2_low));
  return {value, k == 0 ? less : q - value};
}

struct NeoHookean {
  static constexpr bool isotropic = true, stiffens = true;
  static constexpr std::size_t num_constants = 2;
  using Viscosity = IsotropicViscosity;

  static bool describes(const Material& m) { return m.law == Law::neo_hookean; }
  static std::array<double, num_constants> constants(const Material& m) { return {m.lambda, m.mu}; }

  /// sigma = 2 lambda ln J I + 2 (mu - lambda ln J) (I - C^-1).
  template <class Number>
  [[gnu::always_inline]] static ElasticStress<Number> stress(const std::array<Number, num_constants>& c,
                                                             const Matrix<Number>& /*F*/, const Symmetric<Number>& eps)
  {
    const auto& [lambda, mu] = c;
    const Invariants<Number> i = invariants(eps);
    const Number pressure = lambda * logarithm(i.growth()).value;  // 2 lambda ln J
    // C^-1 = adj(C) / det C, and adj(I + eps) = (1 + tr eps) I - eps + adj(eps): small strains are not rounded off.
    const Symmetric<Number> lost =
        times(1 / (1 + i.growth()), isotropic_plus(i.others, plus(eps, Number{} - 1, i.adjugate)));
    return {pressure, times(2 * mu - pressure, lost), stiffening(lambda, mu, pressure, eps, lost)};
  }

  /// With q = 2 lambda ln J: dq C^-1 + (2 mu - q) C^-1 dC C^-1, dq = lambda C^-1 : dC.
  template <class Number>
  [[gnu::always_inline]] static Symmetric<Number> stress_change(const std::array<Number, num_constants>& c,
                                                                const Symmetric<Number>& eps,
                                                                const Symmetric<Number>& change)
  {
    const auto& [lambda, mu] = c;
    const Invariants<Number> i = invariants(eps);
    const Number pressure = lambda * logarithm(i.growth()).value;
    const Symmetric<Number> inverse =
        times(1 / (1 + i.growth()), isotropic_plus(1 + i.first, plus(i.adjugate, Number{} - 1, eps)));
    return plus(times(lambda * dot(inverse, change), inverse), 2 * mu - pressure, sandwiched(inverse, change));
  }

  template <class Number>
  [[gnu::always_inline]] static Number energy(const std::array<Number, num_constants>& c, const Matrix<Number>& /*F*/,
                                              const Symmetric<Number>& eps)
  {
    const auto& [lambda, mu] = c;
    const Invariants<Number> i = invariants(eps);
    const Logarithm<Number> twice_ln_J = logarithm(i.growth());
    return 0.5 * mu * (twice_ln_J.remainder - i.others) + 0.125 * lambda * twice_ln_J.value * twice_ln_J.value;
  }

private:
  /// det(I + eps) = 1 + first + others.
  template <class Number>
  struct Invariants {
    Symmetric<Number> adjugate;
    Number first, others;

    /// det C - 1, but no less than just above -1: empty lanes are crushed flat, and their results must stay finite.
    [[gnu::always_inline]] Number growth() const
    {
      const Number q = first + others;
      return q > -1 + 0x1p-52 ? q : Number{} + (-1 + 0x1p-52);
    }
  };

  template <class Number>
  [[gnu::always_inline]] static Invariants<Number> invariants(const Symmetric<Number>& t)
  {
    const Symmetric<Number> adj{t.yy * t.zz - t.yz * t.yz, t.xx * t.zz - t.xz * t.xz, t.xx * t.yy - t.xy * t.xy,
                                t.xz * t.yz - t.xy * t.zz, t.xy * t.xz - t.yz * t.xx, t.xy * t.yz - t.xz * t.yy};
    return {adj, trace(t), trace(adj) + (t.xx * adj.xx + t.xy * adj.xy + t.xz * adj.xz)};
  }

  /// An upper bound of the squared frequency over that at rest. Why: let A be the gradient, in the world, of a small
  /// motion. The motion takes half of the energy
  ///
  ///   lambda (tr A)^2 + c tr(A A) + mu |A F|^2,   c = mu - lambda ln J,
  ///
  /// and at rest half of lambda (tr A)^2 + mu tr(A A) + mu |A|^2. Here |A F| <= |F| |A|, and gradients of shape
  /// functions in the world are at most |F^-1| times those in the material. omega^2 at rest is at least (4/rho) (lambda
  /// + 2 mu) times the greatest squared singular value of the latter. So omega^2 grows at most by the factor |F^-1|^2
  /// (1 + 2 (max(|c|, mu |F|^2) - mu) / (lambda + 2 mu)).
  template <class Number>
  [[gnu::always_inline]] static Number stiffening(Number lambda, Number mu, Number pressure,
                                                  const Symmetric<Number>& eps, const Symmetric<Number>& lost)
  {
    // |F|^2 and |F^-1|^2, the greatest eigenvalues of I + eps and of C^-1 = I - lost, from above: see tension() in
    // element/internal_forces.cpp.
    const Symmetric<Number> s = deviator(lost);
    const Number inverse = 1 - trace(lost) * (1.0 / 3) + root(dot(s, s) * (2.0 / 3));
    const Number c = mu - 0.5 * pressure, stretched = mu * (1 + root(dot(eps, eps)));
    const Number size = c > 0 ? c : -c, greater = size > stretched ? size : stretched;
    return inverse * (1 + 2 * (greater - mu) / (lambda + 2 * mu));
  }
};

}  // namespace sunder::material
