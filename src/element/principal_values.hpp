#pragma once
/// Principal values of a symmetric tensor without its directions, of a double or of a vector of doubles. Only files of
/// vector kernels may include this one.

#include "material/tensor.hpp"

namespace sunder::element::lanewise {

template <class Number>
struct PrincipalValues {
  Number greatest, middle, least;
};

/// 2 cos(2/3 acos(s)) for s in [0, 1], to 7e-9: its interpolation in Chebyshev nodes. It has no singularity nearer than
/// s = -1. A root of the cubic by Newton's method would wait for roots and quotients.
template <class Number>
[[gnu::always_inline]] inline Number third_of_angle(Number s)
{
  constexpr double coefficients[] = {-0.00127862863, 0.00741537255,  -0.02065098554, 0.03935143594, -0.06392259072,
                                     0.10657731196,  -0.22219136659, 1.15469943965,  1.00000000652};
  Number x = s * coefficients[0] + coefficients[1];
  for (int k = 2; k < 9; ++k) x = x * s + coefficients[k];
  return x;
}

/// Good to some 1e-7 of the greatest: half of the digits are lost where two of them meet.
template <class Number>
[[gnu::always_inline]] inline PrincipalValues<Number> principal_values(const material::Symmetric<Number>& t)
{
  const Number mean = material::trace(t) * (1.0 / 3);
  const material::Symmetric<Number> s = material::deviator(t);
  const Number radius = material::root(material::dot(s, s) * (1.0 / 6));
  const Number determinant =
      s.xx * (s.yy * s.zz - s.yz * s.yz) - s.xy * (s.xy * s.zz - s.yz * s.xz) + s.xz * (s.xy * s.yz - s.yy * s.xz);
  const Number cube = radius * radius * radius;
  Number cosine = determinant / (2 * cube);  // of three times the angle
  cosine = cube > 0 ? cosine : cube;
  const Number up = 0.5 * (1 + cosine), down = 0.5 * (1 - cosine), zero{};
  const Number greatest = third_of_angle<Number>(material::root(up > 0 ? up : zero)),
               least = -third_of_angle<Number>(material::root(down > 0 ? down : zero));
  return {mean + radius * greatest, mean - radius * (greatest + least), mean + radius * least};
}

}  // namespace sunder::element::lanewise
