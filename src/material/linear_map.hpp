#pragma once
/// Linear maps S = C : E on the components of Symmetric: the 21 constants of a Mat6 in Voigt's order, rearranged.

#include "material/stiffness.hpp"
#include "material/tensor.hpp"

#include <array>

namespace sunder::material {

/// The upper triangle, row by row.
inline constexpr std::size_t num_map_constants = 21;

/// Places of XX YY ZZ XY YZ XZ in Voigt's order.
inline constexpr std::array<int, 6> place_in_voigt{0, 1, 2, 5, 3, 4};

/// Place of C_ij among the constants.
constexpr std::size_t map_constant(std::size_t i, std::size_t j)
{
  return i <= j ? i * (11 - i) / 2 + j : map_constant(j, i);
}

/// Local. C: symmetric.
inline std::array<double, num_map_constants> map_constants(const Mat6& C)
{
  std::array<double, num_map_constants> c{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = i; j < 6; ++j) c[map_constant(i, j)] = C(place_in_voigt[i], place_in_voigt[j]);
  return c;
}

/// C : t.
template <class Number>
[[gnu::always_inline]] inline Symmetric<Number> contracted(const std::array<Number, num_map_constants>& C,
                                                           const Symmetric<Number>& t)
{
  const Number xy = t.xy + t.xy, yz = t.yz + t.yz, xz = t.xz + t.xz;
  const auto sum = [&](Number c_xx, Number c_yy, Number c_zz, Number c_xy, Number c_yz, Number c_xz) {
    return (c_xx * t.xx + c_yy * t.yy + c_zz * t.zz) + (c_xy * xy + c_yz * yz + c_xz * xz);
  };
  const auto row = [&](std::size_t i) {
    const auto c = [&](std::size_t j) { return C[map_constant(i, j)]; };
    return sum(c(0), c(1), c(2), c(3), c(4), c(5));
  };
  return {row(0), row(1), row(2), row(3), row(4), row(5)};
}

/// Sums in the order of Eigen's matrix product, in Voigt's order.
inline Symmetric<double> contracted(const std::array<double, num_map_constants>& C, const Symmetric<double>& t)
{
  Mat6 voigt_C;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) voigt_C(place_in_voigt[i], place_in_voigt[j]) = C[map_constant(i, j)];
  Eigen::Matrix<double, 6, 1> e;
  e << t.xx, t.yy, t.zz, 2 * t.yz, 2 * t.xz, 2 * t.xy;
  const Eigen::Matrix<double, 6, 1> s = voigt_C * e;
  return {s[0], s[1], s[2], s[5], s[3], s[4]};
}

}  // namespace sunder::material
