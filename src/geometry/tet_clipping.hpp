#pragma once
/// A tetrahedron cut by the half-spaces of another one, kept as a set of tetrahedra. Pure kernel: no state, no
/// allocation.

#include "core/four.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace sunder::geometry::tet_clipping {

/// A point by its barycentric coordinates: 0 to 3 in the subject, 4 to 7 in the clipper. A cut interpolates all eight
/// at once and never needs a position.
using Point [[gnu::vector_size(64)]] = double;

/// Four points that outlive it. Copies of them would be what most of the time is spent on.
struct Tetrahedron {
  std::array<const Point*, 4> corners;  ///< Of positive volume.
  unsigned faces_of_clipper = 0;        ///< Bit k: the face opposite corner k lies on a face of the clipper.
};

/// Of a point, its coordinates 1, 2, 3 and 0 in the subject.
[[gnu::always_inline]] inline Four in_subject(const Point& p)
{
  return __builtin_shufflevector(p, p, 1, 2, 3, 0);
}

/// Corner a of the subject. in_clipper: its four coordinates there.
[[gnu::always_inline]] inline Point corner(std::size_t a, const double* in_clipper)
{
  constexpr std::array<Four, 4> units{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  Four coordinates;
  std::memcpy(&coordinates, in_clipper, sizeof coordinates);
  return __builtin_shufflevector(units[a], coordinates, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// What the region measures, in the space of the subject's barycentric coordinates 1 to 3.
struct Measure {
  double six_volumes = 0;
  Four moment{};      ///< The first moment, times 24: of coordinates 1, 2, 3 and 0.
  Four twice_area{};  ///< Of the faces of the clipper, outwards: coordinates 1 to 3.

  void add(const Tetrahedron& t)
  {
    const Four p = in_subject(*t.corners[0]), q = in_subject(*t.corners[1]), r = in_subject(*t.corners[2]),
               s = in_subject(*t.corners[3]);
    const Four x = q - p, y = r - p, z = s - p;
    const Four yz = cross(y, z), zx = cross(z, x), xy = cross(x, y), products = x * yz;
    const double six = products[0] + products[1] + products[2];
    six_volumes += six;
    moment += six * (p + q + r + s);
    if (t.faces_of_clipper & 1) twice_area += yz + zx + xy;
    if (t.faces_of_clipper & 2) twice_area -= yz;
    if (t.faces_of_clipper & 4) twice_area -= zx;
    if (t.faces_of_clipper & 8) twice_area -= xy;
  }
};

/// For each set of corners that are outside: an even permutation that has these last.
using Permutation = std::array<std::uint8_t, 4>;
inline constexpr std::array<Permutation, 16> inside_first = [] {
  std::array<Permutation, 16> table{};
  for (unsigned outside = 0; outside < 16; ++outside) {
    Permutation& order = table[outside];
    std::size_t n = 0;
    for (const unsigned beyond : {0u, 1u})
      for (std::uint8_t k = 0; k < 4; ++k)
        if ((outside >> k & 1) == beyond) order[n++] = k;
    int inversions = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t k = i + 1; k < 4; ++k) inversions += order[i] > order[k];
    const bool two_inside = std::popcount(outside) <= 2;
    if (inversions % 2 == 1) two_inside ? std::swap(order[0], order[1]) : std::swap(order[2], order[3]);
  }
  return table;
}();

/// Where the edge leaves half-space j. Both tetrahedra at an edge find the same point.
[[gnu::always_inline]] inline Point crossing(const Point& in, const Point& out, int j)
{
  return in + in[4 + j] / (in[4 + j] - out[4 + j]) * (out - in);
}

/// Adds what of t lies in all `left` half-spaces from *plane on. What lies in one is a tetrahedron or a wedge, which is
/// three: each goes on to the next half-space. So round-off opens no gap between them: however points are taken to lie
/// to a plane, tetrahedra that fill t are cut at common points.
inline void add_inside(Measure& sum, const Tetrahedron& t, const std::uint8_t* plane, int left)
{
  for (; left > 0; --left, ++plane) {
    const int j = *plane;
    unsigned outside = 0;
    for (unsigned k = 0; k < 4; ++k) outside |= static_cast<unsigned>((*t.corners[k])[4 + j] < 0) << k;
    if (outside == 0) continue;
    if (outside == 15) return;
    const Permutation& order = inside_first[outside];
    const Point &a = *t.corners[order[0]], &b = *t.corners[order[1]], &c = *t.corners[order[2]],
                &d = *t.corners[order[3]];
    const auto inherited = [&](int corner, int bit) { return (t.faces_of_clipper >> order[corner] & 1) << bit; };
    const auto add = [&](const Point& p, const Point& q, const Point& r, const Point& s, unsigned faces) {
      add_inside(sum, {{&p, &q, &r, &s}, faces}, plane + 1, left - 1);
    };
    constexpr unsigned cut = 1;  // opposite the first corner
    const int beyond = std::popcount(outside);
    if (beyond == 3) {
      const Point ab = crossing(a, b, j), ac = crossing(a, c, j), ad = crossing(a, d, j);
      return add(a, ab, ac, ad, cut | inherited(1, 1) | inherited(2, 2) | inherited(3, 3));
    }
    if (beyond == 2) {
      const Point ac = crossing(a, c, j), ad = crossing(a, d, j), bc = crossing(b, c, j), bd = crossing(b, d, j);
      add(a, ac, ad, bd, cut | inherited(2, 1) | inherited(1, 3));
      add(a, ac, bd, bc, cut | inherited(3, 2));
      return add(a, b, bc, bd, inherited(0, 0) | inherited(2, 2) | inherited(3, 3));
    }
    const Point ad = crossing(a, d, j), bd = crossing(b, d, j), cd = crossing(c, d, j);
    add(a, b, c, cd, inherited(0, 0) | inherited(1, 1) | inherited(3, 3));
    add(a, b, cd, bd, inherited(0, 0) | inherited(2, 2));
    return add(a, ad, bd, cd, cut | inherited(1, 2) | inherited(2, 3));
  }
  sum.add(t);
}

}  // namespace sunder::geometry::tet_clipping
