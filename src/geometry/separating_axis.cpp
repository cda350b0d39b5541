#include "geometry/separating_axis.hpp"

#include <array>

namespace sunder::geometry {
namespace {

/// Out of the tetrahedron, of any length.
Vec3 normal_of(const Mat34& p, int face)
{
  const Vec3 base = p.col((face + 1) % 4);
  const Vec3 n = (Vec3(p.col((face + 2) % 4)) - base).cross(Vec3(p.col((face + 3) % 4)) - base);
  return n.dot(Vec3(p.col(face)) - base) > 0 ? Vec3(-n) : n;
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

bool keeps_apart(const Vec3& axis, const LinearMotion& a, const LinearMotion& b, double skin)
{
  const double needed = skin * axis.norm();
  return gap_along(axis, a.start, b.start) > needed && gap_along(axis, a.end, b.end) > needed;
}

Vec3 separating_face(const LinearMotion& a, const LinearMotion& b, double skin)
{
  for (int face = 0; face < 4; ++face)
    for (const Vec3& n : {normal_of(a.start, face), Vec3(-normal_of(b.start, face))})
      if (keeps_apart(n, a, b, skin)) return n;
  return Vec3::Zero();
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

bool are_apart(const Mat34& a, const Mat34& b, double least)
{
  const auto gap_beyond = [&](const Vec3& n) { return gap_along(n, a, b) > least * n.norm(); };
  for (int face = 0; face < 4; ++face)
    if (gap_beyond(normal_of(a, face)) || gap_beyond(-normal_of(b, face))) return true;
  const Vec3 towards_b = (b - a).rowwise().sum();
  for (const auto& [i, j] : edges)
    for (const auto& [k, l] : edges) {
      const Vec3 n = (Vec3(a.col(j)) - a.col(i)).cross(Vec3(b.col(l)) - b.col(k));
      if (gap_beyond(n.dot(towards_b) < 0 ? Vec3(-n) : n)) return true;
    }
  return false;
}

}  // namespace sunder::geometry
