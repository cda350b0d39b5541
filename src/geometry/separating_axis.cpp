#include "geometry/separating_axis.hpp"

#include <algorithm>
#include <array>

namespace sunder::geometry {
namespace {

constexpr std::array<std::array<int, 2>, 6> edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// The corners of an element, one by one.
struct Columns {
  const Mat34& p;
  Vec3 operator()(int corner) const { return p.col(corner); }
};
struct Rows {
  const std::array<int, 4>& nodes;
  std::span<const Row4> p;
  const Row4& row(int corner) const { return p[static_cast<std::size_t>(nodes[static_cast<std::size_t>(corner)])]; }
  Vec3 operator()(int corner) const { return row(corner).xyz(); }
};

/// Into the tetrahedron or out of it.
template <class Corners>
Vec3 across_face(const Corners& p, int opposite)
{
  const Vec3 x = p((opposite + 1) % 4);
  return (p((opposite + 2) % 4) - x).cross(p((opposite + 3) % 4) - x);
}

/// To either side.
template <class Corners>
Vec3 across_edges(const Corners& a, int edge_of_a, const Corners& b, int edge_of_b)
{
  const auto [i, j] = edges[static_cast<std::size_t>(edge_of_a)];
  const auto [k, l] = edges[static_cast<std::size_t>(edge_of_b)];
  return (a(j) - a(i)).cross(b(l) - b(k));
}

/// Wherever it points: how far all of one is beyond all of the other, times the length of n.
double gap_across(const Vec3& n, const Mat34& a, const Mat34& b)
{
  const auto along = [&n](const Mat34& p) -> Eigen::Array4d {
    return n.x() * p.row(0).transpose() + n.y() * p.row(1).transpose() + n.z() * p.row(2).transpose();
  };
  const Eigen::Array4d of_a = along(a), of_b = along(b);
  return std::max(of_b.minCoeff() - of_a.maxCoeff(), of_a.minCoeff() - of_b.maxCoeff());
}

using Four [[gnu::vector_size(32)]] = double;

/// Least and greatest n . x of the corners. This is what most pairs of a pair list cost, so it is done by hand.
struct Extent {
  double least, greatest;

  Extent(const Vec3& n, const Rows& p)
  {
    const auto row = [&p](int corner) { return reinterpret_cast<const Four&>(p.row(corner)); };
    const Four r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
    const Four xz01 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6), xz23 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6),
               yw01 = __builtin_shufflevector(r0, r1, 1, 5, 3, 7), yw23 = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
    const Four x = __builtin_shufflevector(xz01, xz23, 0, 1, 4, 5), y = __builtin_shufflevector(yw01, yw23, 0, 1, 4, 5),
               z = __builtin_shufflevector(xz01, xz23, 2, 3, 6, 7);
    const Four along = n.x() * x + n.y() * y + n.z() * z, swapped = __builtin_shufflevector(along, along, 1, 0, 3, 2);
    const Four low = along < swapped ? along : swapped, high = along < swapped ? swapped : along;
    least = std::min(low[0], low[2]), greatest = std::max(high[0], high[2]);
  }
};

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
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < 6; ++k) {
        const Vec3 n = across_edges(Columns{a}, i, Columns{b}, k);
        take(gap_across(n, a, b), n, SeparatingPlane::edges(i, k));
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

template <class Corners>
Vec3 SeparatingPlane::across(const Corners& a, const Corners& b) const
{
  if (code_ == 0) return Vec3::Zero();
  if (code_ < 5) return across_face(a, code_ - 1);
  if (code_ < 9) return across_face(b, code_ - 5);
  return across_edges(a, (code_ - 9) / 6, b, (code_ - 9) % 6);
}

Vec3 SeparatingPlane::normal(const Mat34& a, const Mat34& b) const
{
  const Vec3 n = across(Columns{a}, Columns{b});
  return n.dot((b - a).rowwise().sum()) < 0 ? Vec3(-n) : n;
}

bool SeparatingPlane::separates(const std::array<int, 4>& a, const std::array<int, 4>& b, std::span<const Row4> p,
                                double least) const
{
  if (none()) return false;
  const Rows of_a{a, p}, of_b{b, p};
  const Vec3 n = across(of_a, of_b);
  const Extent along_a(n, of_a), along_b(n, of_b);
  const double gap = std::max(along_b.least - along_a.greatest, along_a.least - along_b.greatest);
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
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) {
      const Vec3 n = across_edges(Columns{a}, i, Columns{b}, k);
      if (gap_across(n, a, b) > least * n.norm()) return true;
    }
  return false;
}

}  // namespace sunder::geometry
