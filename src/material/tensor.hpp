#pragma once
/// Small tensors with components of type Number: a double, or a vector of doubles with one entry for each element. So
/// one formula serves a single element and several elements at a time. All functions: local, no allocation.

#include "core/types.hpp"

#include <cmath>
#include <cstdint>

namespace sunder::material {

template <class Number>
struct Vector {
  Number x, y, z;
};
template <class Number>
struct Matrix {
  Number m[3][3];
};
template <class Number>
struct Symmetric {  // XX YY ZZ XY YZ XZ
  Number xx, yy, zz, xy, yz, xz;
};

/// The unsigned integers with the bits of a Number. To be specialised for a Number made of vectors.
template <class Number>
struct BitsOf;
template <>
struct BitsOf<double> {
  using type = std::uint64_t;
};

template <class Number>
[[gnu::always_inline]] inline Number root(Number x)
{
  if constexpr (sizeof(Number) == sizeof(double)) {
    return std::sqrt(x);
  } else {
    Number y{};
    for (std::size_t l = 0; l < sizeof(Number) / sizeof(double); ++l) y[l] = std::sqrt(x[l]);
    return y;
  }
}

inline Symmetric<double> symmetric(const Mat3& t)
{
  return {t(0, 0), t(1, 1), t(2, 2), t(0, 1), t(1, 2), t(0, 2)};
}

inline Mat3 matrix(const Symmetric<double>& t)
{
  Mat3 M;
  M << t.xx, t.xy, t.xz, t.xy, t.yy, t.yz, t.xz, t.yz, t.zz;
  return M;
}

template <class Number>
[[gnu::always_inline]] inline Number column_dot(const Matrix<Number>& A, int i, const Matrix<Number>& B, int j)
{
  return A.m[0][i] * B.m[0][j] + A.m[1][i] * B.m[1][j] + A.m[2][i] * B.m[2][j];
}

/// eps = F^T F - I.
template <class Number>
[[gnu::always_inline]] inline Symmetric<Number> strain(const Matrix<Number>& F)
{
  return {column_dot(F, 0, F, 0) - 1, column_dot(F, 1, F, 1) - 1, column_dot(F, 2, F, 2) - 1,
          column_dot(F, 0, F, 1),     column_dot(F, 1, F, 2),     column_dot(F, 0, F, 2)};
}

/// nu = F^T Fdot + Fdot^T F.
template <class Number>
[[gnu::always_inline]] inline Symmetric<Number> strain_rate(const Matrix<Number>& F, const Matrix<Number>& G)
{
  return {2 * column_dot(F, 0, G, 0),
          2 * column_dot(F, 1, G, 1),
          2 * column_dot(F, 2, G, 2),
          column_dot(F, 0, G, 1) + column_dot(G, 0, F, 1),
          column_dot(F, 1, G, 2) + column_dot(G, 1, F, 2),
          column_dot(F, 0, G, 2) + column_dot(G, 0, F, 2)};
}

template <class Number>
[[gnu::always_inline]] inline Number trace(const Symmetric<Number>& t)
{
  return t.xx + t.yy + t.zz;
}
/// Sums in the order of Mat3::trace().
inline double trace(const Symmetric<double>& t)
{
  return t.xx + (t.yy + t.zz);
}

template <class Number>
[[gnu::always_inline]] inline Number dot(const Symmetric<Number>& s, const Symmetric<Number>& t)
{
  const Number off_diagonal = s.xy * t.xy + s.yz * t.yz + s.xz * t.xz;
  return s.xx * t.xx + s.yy * t.yy + s.zz * t.zz + 2 * off_diagonal;
}

template <class Number>
[[gnu::always_inline]] inline Symmetric<Number> deviator(const Symmetric<Number>& t)
{
  const Number mean = trace(t) * (1.0 / 3);
  return {t.xx - mean, t.yy - mean, t.zz - mean, t.xy, t.yz, t.xz};
}

/// s + x t.
template <class Number>
[[gnu::always_inline]] inline Symmetric<Number> plus(const Symmetric<Number>& s, Number x, const Symmetric<Number>& t)
{
  return {s.xx + x * t.xx, s.yy + x * t.yy, s.zz + x * t.zz, s.xy + x * t.xy, s.yz + x * t.yz, s.xz + x * t.xz};
}

template <class Number>
[[gnu::always_inline]] inline Symmetric<Number> times(Number x, const Symmetric<Number>& t)
{
  return {x * t.xx, x * t.yy, x * t.zz, x * t.xy, x * t.yz, x * t.xz};
}

/// iso I + t.
template <class Number>
[[gnu::always_inline]] inline Symmetric<Number> isotropic_plus(Number iso, const Symmetric<Number>& t)
{
  return {iso + t.xx, iso + t.yy, iso + t.zz, t.xy, t.yz, t.xz};
}

template <class Mask, class Number>
[[gnu::always_inline]] inline Symmetric<Number> chosen(Mask mask, const Symmetric<Number>& s,
                                                       const Symmetric<Number>& t)
{
  return {mask ? s.xx : t.xx, mask ? s.yy : t.yy, mask ? s.zz : t.zz,
          mask ? s.xy : t.xy, mask ? s.yz : t.yz, mask ? s.xz : t.xz};
}

template <class Number>
[[gnu::always_inline]] inline Number determinant(const Matrix<Number>& F)
{
  const auto& m = F.m;
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) + m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// F T, T symmetric.
template <class Number>
[[gnu::always_inline]] inline Matrix<Number> product(const Matrix<Number>& F, const Symmetric<Number>& t)
{
  Matrix<Number> P;
  for (int i = 0; i < 3; ++i) {
    P.m[i][0] = F.m[i][0] * t.xx + F.m[i][1] * t.xy + F.m[i][2] * t.xz;
    P.m[i][1] = F.m[i][0] * t.xy + F.m[i][1] * t.yy + F.m[i][2] * t.yz;
    P.m[i][2] = F.m[i][0] * t.xz + F.m[i][1] * t.yz + F.m[i][2] * t.zz;
  }
  return P;
}

/// S T S, all symmetric.
template <class Number>
[[gnu::always_inline]] inline Symmetric<Number> sandwiched(const Symmetric<Number>& s, const Symmetric<Number>& t)
{
  const Matrix<Number> S{{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}};
  const Matrix<Number> ST = product(S, t);
  const auto entry = [&](int i, int j) {
    return ST.m[i][0] * S.m[0][j] + ST.m[i][1] * S.m[1][j] + ST.m[i][2] * S.m[2][j];
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(1, 2), entry(0, 2)};
}

template <class Number>
[[gnu::always_inline]] inline Number length(const Vector<Number>& a)
{
  return root(a.x * a.x + a.y * a.y + a.z * a.z);
}

/// -(a + b + c).
template <class Number>
[[gnu::always_inline]] inline Vector<Number> balance(const Vector<Number>& a, const Vector<Number>& b,
                                                     const Vector<Number>& c)
{
  return {-(a.x + b.x + c.x), -(a.y + b.y + c.y), -(a.z + b.z + c.z)};
}

/// P g.
template <class Number>
[[gnu::always_inline]] inline Vector<Number> product(const Matrix<Number>& P, const Vector<Number>& g)
{
  return {P.m[0][0] * g.x + P.m[0][1] * g.y + P.m[0][2] * g.z, P.m[1][0] * g.x + P.m[1][1] * g.y + P.m[1][2] * g.z,
          P.m[2][0] * g.x + P.m[2][1] * g.y + P.m[2][2] * g.z};
}

}  // namespace sunder::material
