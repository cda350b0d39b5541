#include "contact/separation.hpp"

#include <array>

namespace sunder::contact {
namespace {

/// Out of the tetrahedron, of any length.
Vec3 normal_of(const Mat34& p, int face)
{
  const Vec3 base = p.col((face + 1) % 4);
  const Vec3 n = (Vec3(p.col((face + 2) % 4)) - base).cross(Vec3(p.col((face + 3) % 4)) - base);
  return n.dot(Vec3(p.col(face)) - base) > 0 ? Vec3(-n) : n;
}

/// Does the plane of a face of `of`, as it is at the start, keep `other` off by more than the slack? Corners
/// move straight, so the gap is a concave function of time: what it exceeds at both ends it exceeds between.
bool keeps_off(const Course& of, int face, const Course& other, double slack)
{
  const Vec3 n = normal_of(of.start, face);
  const double needed = slack * n.norm();
  return gap_along(n, of.start, other.start) > needed && gap_along(n, of.end, other.end) > needed;
}

constexpr std::array<std::array<int, 2>, 6> edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// The axes tried so far, for the one along which two elements have the widest gap.
struct WidestGap {
  const Mat34 &a, &b;
  double gap;
  Vec3 axis = Vec3::Zero();

  /// n: towards b, of any length.
  void try_along(const Vec3& n)
  {
    const double length = n.norm();
    if (const double found = gap_along(n, a, b); found > gap * length) gap = found / length, axis = n / length;
  }
};

}  // namespace

int separating_face(const Course& a, const Course& b, double slack, int first)
{
  for (int k = 0; k < 8; ++k) {
    const int face = (first + k) % 8;
    if (face < 4 ? keeps_off(a, face, b, slack) : keeps_off(b, face - 4, a, slack)) return face;
  }
  return -1;
}

Vec3 separating_axis(const Mat34& a, const Mat34& b, double least)
{
  WidestGap widest{a, b, least};
  for (int face = 0; face < 4; ++face) widest.try_along(normal_of(a, face)), widest.try_along(-normal_of(b, face));
  if (widest.gap > least) return widest.axis;
  const Vec3 towards_b = (b - a).rowwise().sum();
  for (const auto& [i, j] : edges)
    for (const auto& [k, l] : edges) {
      const Vec3 n = (Vec3(a.col(j)) - a.col(i)).cross(Vec3(b.col(l)) - b.col(k));
      widest.try_along(n.dot(towards_b) < 0 ? Vec3(-n) : n);
    }
  return widest.axis;
}

}  // namespace sunder::contact
