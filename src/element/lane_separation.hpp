#pragma once
/// Whether nodes hold, as many at a time as there are lanes, from what elements have summed at them. Only
/// separation_screen.cpp may include this file.

#include "element/lanes.hpp"
#include "element/model.hpp"
#include "element/principal_values.hpp"

namespace sunder::element::lanewise {

/// Sums over the elements around a node, in single precision, eight to a row:
///   xx yy zz xy yz xz |f| f+x  f+y f+z f-x f-y f-z  of m(f+) - m(f-), |f+| + |f-|, f+ and f-
///   then the nine of vol F, and two zeros
constexpr int rows_of_node = 3;

/// What differs between these sums and the tensor that decides, relative to the forces around a node: sums are good to
/// some 1e-6, those of most_summed elements to 8e-6 at worst; principal values and the stress split by them to 1e-7.
constexpr double margin = 1e-5;
constexpr std::size_t most_summed = 128;

/// [N] and [m^3]: what is smaller may be lost in single precision.
constexpr double lost = 1e-30;

/// The sums of a node in each lane.
struct SumsOfNodes {
  Symmetric m;
  Lanes forces;
  Vector tensile, compressive;
  Matrix turn;

  /// Of nodes whose rows follow each other.
  explicit SumsOfNodes(const SingleRow* rows)
  {
    Lanes x[8 * rows_of_node];
    for (int r = 0; r < rows_of_node; ++r) {
      SingleRow of_node[lanes];
      for (int l = 0; l < lanes; ++l) of_node[l] = rows[rows_of_node * l + r];
      Singles number[8];
      transpose_back(of_node, number);
      for (int i = 0; i < 8; ++i) x[8 * r + i] = widened(number[i]);
    }
    m = {x[0], x[1], x[2], x[3], x[4], x[5]};
    forces = x[6];
    tensile = {x[7], x[8], x[9]}, compressive = {x[10], x[11], x[12]};
    for (int i = 0; i < 9; ++i) turn.m[i / 3][i % 3] = x[13 + i];
  }
};

/// What the nodes bear, as the model knows it.
struct StrengthOfNodes {
  Lanes toughness, stress, sliding;
  Vector unjoined;
  Symmetric areas;

  StrengthOfNodes(const Model& model, const LocalIndex* nodes)
  {
    double x[12][lanes];
    for (int l = 0; l < lanes; ++l) {
      const auto n = static_cast<std::size_t>(nodes[l]);
      const StrengthBound& s = model.strength[n];
      const double of_node[12] = {model.toughness[n], s.stress,   s.unjoined[0], s.unjoined[1],
                                  s.unjoined[2],      s.areas.xx, s.areas.yy,    s.areas.zz,
                                  s.areas.xy,         s.areas.yz, s.areas.xz,    s.sliding};
      for (int i = 0; i < 12; ++i) x[i][l] = of_node[i];
    }
    toughness = load(x[0]), stress = load(x[1]);
    unjoined = {load(x[2]), load(x[3]), load(x[4])};
    areas = {load(x[5]), load(x[6]), load(x[7]), load(x[8]), load(x[9]), load(x[10])};
    sliding = load(x[11]);
  }
};

[[gnu::always_inline]] inline Lanes inner(const Vector& a, const Vector& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[gnu::always_inline]] inline Lanes magnitude(Lanes x)
{
  return x < 0 ? -x : x;
}

/// As Separation::tensor() of the criterion `tensile`.
[[gnu::always_inline]] inline Symmetric separation(const SumsOfNodes& s)
{
  const Vector& a = s.tensile;
  const Lanes squared = inner(a, a), tension = root(squared), zero{};
  Lanes u = tension + inner(s.compressive, a) / tension;
  u = u > 0 ? u : zero, u = u < tension ? u : tension;
  const Lanes by = squared > 0 ? -u / squared : zero;
  return times(all(0.5), plus(s.m, by, Symmetric{a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.y * a.z, a.x * a.z}));
}

/// t less `x`, times t less `y`: symmetric, as both have the same directions.
[[gnu::always_inline]] inline Symmetric product_less(const Symmetric& t, Lanes x, Lanes y)
{
  const Symmetric a{t.xx - x, t.yy - x, t.zz - x, t.xy, t.yz, t.xz}, b{t.xx - y, t.yy - y, t.zz - y, t.xy, t.yz, t.xz};
  return {a.xx * b.xx + a.xy * b.xy + a.xz * b.xz, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
          a.xz * b.xz + a.yz * b.yz + a.zz * b.zz, a.xx * b.xy + a.xy * b.yy + a.xz * b.yz,
          a.xy * b.xz + a.yy * b.yz + a.yz * b.zz, a.xx * b.xz + a.xy * b.yz + a.xz * b.zz};
}

/// The direction of the greatest principal value, not of unit length: of (t - middle)(t - least), which has no other,
/// the longest column.
[[gnu::always_inline]] inline Vector direction_of_greatest(const Symmetric& t, const PrincipalValues<Lanes>& values)
{
  const Symmetric P = product_less(t, values.middle, values.least);
  const Vector x{P.xx, P.xy, P.xz}, y{P.xy, P.yy, P.yz}, z{P.xz, P.yz, P.zz};
  const Lanes of_x = inner(x, x), of_y = inner(y, y), of_z = inner(z, z);
  const LaneMask y_longer = of_y > of_x;
  const Lanes longer = y_longer ? of_y : of_x;
  const LaneMask z_longest = of_z > longer;
  const auto longest = [&](Lanes first, Lanes second, Lanes third) {
    const Lanes of_two = y_longer ? second : first;
    return z_longest ? third : of_two;
  };
  return {longest(x.x, y.x, z.x), longest(x.y, y.y, z.y), longest(x.z, y.z, z.z)};
}

/// Which of them have v+ <= tau for certain, with n . areas n for A(n), so that no look at their elements is needed.
/// Anything that is not a number says no.
[[gnu::always_inline]] inline LaneMask hold_for_certain(const SumsOfNodes& sums, const StrengthOfNodes& nodes)
{
  const Symmetric t = separation(sums);
  const PrincipalValues<Lanes> values = principal_values(t);
  const Vector d = direction_of_greatest(t, values);
  const auto column = [&](int j) { return Vector{sums.turn.m[0][j], sums.turn.m[1][j], sums.turn.m[2][j]}; };
  const Vector c[3] = {column(0), column(1), column(2)};
  const Vector across{inner(c[0], d), inner(c[1], d), inner(c[2], d)};
  const Lanes length = root(inner(across, across)), by = 1 / length;
  const Vector n{by * across.x, by * across.y, by * across.z};
  const Lanes angle = margin * sums.forces / (values.greatest - values.middle);
  const Lanes turn = root(inner(c[0], c[0]) + inner(c[1], c[1]) + inner(c[2], c[2]));
  const Lanes off = 4 * angle * turn * root(inner(d, d)) * by;  // no component of the true normal is further away

  const Symmetric& M = nodes.areas;
  const Lanes of_normal = M.xx * n.x * n.x + M.yy * n.y * n.y + M.zz * n.z * n.z +
                          2 * (M.xy * n.x * n.y + M.yz * n.y * n.z + M.xz * n.x * n.z);
  const Lanes area = of_normal - off * (1.7321 * material::trace(M));  // the slope of A is at most sum vol/2 |g|_1
  const Vector sides{magnitude(n.x), magnitude(n.y), magnitude(n.z)};
  const Lanes joined =
                  area - inner(sides, nodes.unjoined) - off * (nodes.unjoined.x + nodes.unjoined.y + nodes.unjoined.z),
              least = StrengthBound::least_joined * area;
  const Lanes borne = nodes.stress * (joined > least ? joined : least);
  const Lanes greatest = values.greatest + margin * sums.forces + lost;
  const LaneMask stays = (nodes.sliding == 0) | (sums.forces + lost <= nodes.sliding * (1 - margin));
  return stays & ((greatest <= nodes.toughness * (1 - margin)) |
                  ((nodes.stress > 0) & (turn > lost) & (angle < 0.01) & (greatest <= borne * (1 - margin))));
}

}  // namespace sunder::element::lanewise
