#include "geometry/separating_axis.hpp"

#include <array>

namespace sunder::geometry {
namespace {

constexpr std::array<std::array<int, 2>, 6> edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// The axes tried so far, for the one along which two elements have the widest gap.
struct WidestGap {
  const Mat34 &a, &b;
  double gap;
  Vec3 axis = Vec3::Zero();

  /// n: towards b, of any length.
  void try_along(const Vec3& n) { take(gap_along(n, a, b), n); }
  void try_faces()
  {
    const FacePlanes of_a(a), of_b(b);
    const Eigen::Vector4d beyond_a = of_a.gaps(b), beyond_b = of_b.gaps(a);
    for (int face = 0; face < 4; ++face)
      take(beyond_a[face], of_a.normal(face)), take(beyond_b[face], -of_b.normal(face));
  }

private:
  void take(double found, const Vec3& n)
  {
    if (!(found > 0)) return;
    const double length = n.norm();
    if (found > gap * length) gap = found / length, axis = n / length;
  }
};

/// A normal of one of the faces along which there is such a gap throughout; zero if there is none.
Vec3 separating_normal(const FacePlanes& planes, const Mat34& other, double skin, const LinearMotion& a,
                       const LinearMotion& b, double towards_b)
{
  const Eigen::Vector4d gaps = planes.gaps(other);
  for (int face = 0; face < 4; ++face) {
    if (!(gaps[face] > 0)) continue;
    const Vec3 n = towards_b * planes.normal(face);
    if (keeps_apart(n, a, b, skin)) return n;
  }
  return Vec3::Zero();
}

}  // namespace

bool keeps_apart(const Vec3& axis, const LinearMotion& a, const LinearMotion& b, double skin)
{
  const double needed = skin * axis.norm();
  return gap_along(axis, a.start, b.start) > needed && gap_along(axis, a.end, b.end) > needed;
}

FacePlanes::FacePlanes(const Mat34& p)
{
  const Vec3 x = p.col(1) - p.col(0), y = p.col(2) - p.col(0), z = p.col(3) - p.col(0);
  const Vec3 yz = y.cross(z), zx = z.cross(x), xy = x.cross(y);
  const double outside = yz.dot(x) > 0 ? -1 : 1;
  normals_.col(1) = outside * yz, normals_.col(2) = outside * zx, normals_.col(3) = outside * xy;
  normals_.col(0) = -outside * (yz + zx + xy);
  offsets_ = along_normals(p.col(0));  // of whichever corner is farthest, so that round-off makes no gap
  for (int a = 1; a < 4; ++a) offsets_ = offsets_.cwiseMax(along_normals(p.col(a)));
}

Vec3 separating_face(const LinearMotion& a, const FacePlanes& of_a, const LinearMotion& b, const FacePlanes& of_b,
                     double skin)
{
  const Vec3 n = separating_normal(of_a, b.start, skin, a, b, 1);
  return n.isZero(0) ? separating_normal(of_b, a.start, skin, a, b, -1) : n;
}

Vec3 separating_axis(const Mat34& a, const Mat34& b, double least)
{
  WidestGap widest{a, b, least};
  widest.try_faces();
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
  WidestGap widest{a, b, least};
  widest.try_faces();
  if (widest.gap > least) return true;
  const Vec3 towards_b = (b - a).rowwise().sum();
  for (const auto& [i, j] : edges)
    for (const auto& [k, l] : edges) {
      const Vec3 n = (Vec3(a.col(j)) - a.col(i)).cross(Vec3(b.col(l)) - b.col(k));
      if (gap_beyond(n.dot(towards_b) < 0 ? Vec3(-n) : n)) return true;
    }
  return false;
}

}  // namespace sunder::geometry
