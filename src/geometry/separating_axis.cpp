#include "geometry/separating_axis.hpp"

#include <array>

namespace sunder::geometry {
namespace {

constexpr std::array<std::array<int, 2>, 6> edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// Out of the tetrahedron.
Vec3 face_normal(const Mat34& p, int opposite)
{
  const Vec3 x = p.col((opposite + 1) % 4);
  const Vec3 n = (p.col((opposite + 2) % 4) - x).cross(p.col((opposite + 3) % 4) - x);
  return n.dot(p.col(opposite) - x) > 0 ? Vec3(-n) : n;
}

/// towards_b: from a to b, of any length.
Vec3 edges_normal(const Mat34& a, int edge_of_a, const Mat34& b, int edge_of_b, const Vec3& towards_b)
{
  const auto [i, j] = edges[static_cast<std::size_t>(edge_of_a)];
  const auto [k, l] = edges[static_cast<std::size_t>(edge_of_b)];
  const Vec3 n = (a.col(j) - a.col(i)).cross(b.col(l) - b.col(k));
  return n.dot(towards_b) < 0 ? Vec3(-n) : n;
}

Vec3 towards(const Mat34& b, const Mat34& a)
{
  return (b - a).rowwise().sum();
}

/// The planes tried so far, for the one across which two elements have the widest gap.
struct WidestGap {
  const Mat34 &a, &b;
  double gap;
  SeparatingPlane plane{};

  void try_faces(const FacePlanes& of_a, const FacePlanes& of_b)
  {
    const Eigen::Vector4d beyond_a = of_a.gaps(b), beyond_b = of_b.gaps(a);
    for (int face = 0; face < 4; ++face) {
      take(beyond_a[face], of_a.normal(face), SeparatingPlane::face_of_first(face));
      take(beyond_b[face], of_b.normal(face), SeparatingPlane::face_of_second(face));
    }
  }
  void try_edges()
  {
    const Vec3 towards_b = towards(b, a);
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < 6; ++k) {
        const Vec3 n = edges_normal(a, i, b, k, towards_b);
        take(gap_along(n, a, b), n, SeparatingPlane::edges(i, k));
      }
  }

private:
  void take(double found, const Vec3& n, SeparatingPlane across)
  {
    if (!(found > 0)) return;
    const double length = n.norm();
    if (found > gap * length) gap = found / length, plane = across;
  }
};

/// A face along whose normal there is such a gap throughout, 0 to 3; -1 if there is none.
int separating_face_of(const FacePlanes& planes, const Mat34& other, double skin, const LinearMotion& a,
                       const LinearMotion& b, double towards_b)
{
  const Eigen::Vector4d gaps = planes.gaps(other);
  for (int face = 0; face < 4; ++face)
    if (gaps[face] > 0 && keeps_apart(towards_b * planes.normal(face), a, b, skin)) return face;
  return -1;
}

}  // namespace

Vec3 SeparatingPlane::normal(const Mat34& a, const Mat34& b) const
{
  if (code_ == 0) return Vec3::Zero();
  if (code_ < 5) return face_normal(a, code_ - 1);
  if (code_ < 9) return -face_normal(b, code_ - 5);
  return edges_normal(a, (code_ - 9) / 6, b, (code_ - 9) % 6, towards(b, a));
}

bool separates(SeparatingPlane plane, const Mat34& a, const Mat34& b, double least)
{
  if (plane.none()) return false;
  const Vec3 n = plane.normal(a, b);
  const double gap = gap_along(n, a, b);
  return gap > 0 && gap * gap > least * least * n.squaredNorm();
}

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

SeparatingPlane separating_face(const LinearMotion& a, const FacePlanes& of_a, const LinearMotion& b,
                                const FacePlanes& of_b, double skin)
{
  if (const int face = separating_face_of(of_a, b.start, skin, a, b, 1); face >= 0)
    return SeparatingPlane::face_of_first(face);
  const int face = separating_face_of(of_b, a.start, skin, a, b, -1);
  return face < 0 ? SeparatingPlane() : SeparatingPlane::face_of_second(face);
}

SeparatingPlane widest_gap_at_a_face(const Mat34& a, const FacePlanes& of_a, const Mat34& b, const FacePlanes& of_b)
{
  WidestGap widest{a, b, 0};
  widest.try_faces(of_a, of_b);
  return widest.plane;
}

SeparatingPlane separating_plane(const Mat34& a, const Mat34& b, double least)
{
  WidestGap widest{a, b, least};
  widest.try_faces(FacePlanes(a), FacePlanes(b));
  if (widest.plane.none()) widest.try_edges();
  return widest.plane;
}

bool are_apart(const Mat34& a, const Mat34& b, double least)
{
  WidestGap widest{a, b, least};
  widest.try_faces(FacePlanes(a), FacePlanes(b));
  if (!widest.plane.none()) return true;
  const Vec3 towards_b = towards(b, a);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) {
      const Vec3 n = edges_normal(a, i, b, k, towards_b);
      if (gap_along(n, a, b) > least * n.norm()) return true;
    }
  return false;
}

}  // namespace sunder::geometry
