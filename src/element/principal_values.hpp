#pragma once
/// Principal values of a symmetric tensor without its directions, of a double or of a vector of doubles. Only files of
/// vector kernels may include this one.

#include "material/tensor.hpp"

namespace sunder::element::lanewise {

template <class Number>
struct PrincipalValues {
  Number greatest, middle, least;
};

/// 2 cos(2/3 acos(s)) for s in [0, 1]. It is the root x of (x - 1) sqrt(x + 2) = 2 s, which Newton's method finds: the
/// first guess is off by at most 0.007, the third by 1e-11. Unlike the cubic's, this slope vanishes nowhere.
template <class Number>
[[gnu::always_inline]] inline Number third_of_angle(Number s)
{
  Number x = 1 + s * (1.1547 - 0.1547 * s);
  for (int k = 0; k < 2; ++k) {
    const Number q = material::root(x + 2);
    x -= ((x - 1) * q - 2 * s) * 2 * q / (2 * q * q + (x - 1));
  }
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
