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

/// Of the planes tried so far the one with the widest gap, and how wide that is.
struct Widest {
  double gap;
  SeparatingPlane plane{};

  void take(double gap_times_length, double length, SeparatingPlane across)
  {
    if (gap_times_length > gap * length) gap = gap_times_length / length, plane = across;
  }
  void take_faces(const FaceGaps& gaps)
  {
    gaps.for_each([this](double gap_times_length, double length, SeparatingPlane across) {
      if (gap_times_length > 0) take(gap_times_length, length, across);
    });
  }
};

/// Calls visit(gap times length of normal, normal, plane) for all planes along an edge of each, until it returns false.
template <class Visit>
void for_each_plane_along_edges(const Mat34& a, const Mat34& b, Visit&& visit)
{
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) {
      const Vec3 n = across_edges(Columns{a}, i, Columns{b}, k);
      if (!visit(gap_across(n, a, b), n, SeparatingPlane::edges(i, k))) return;
    }
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

FacePlanes::FacePlanes(const Mat34& p)
{
  const Vec3 x = p.col(1) - p.col(0), y = p.col(2) - p.col(0), z = p.col(3) - p.col(0);
  const Vec3 yz = y.cross(z), zx = z.cross(x), xy = x.cross(y);
  const double outside = yz.dot(x) > 0 ? -1 : 1;
  normals_.col(1) = outside * yz, normals_.col(2) = outside * zx, normals_.col(3) = outside * xy;
  normals_.col(0) = -outside * (yz + zx + xy);
  lengths_ = normals_.colwise().norm().transpose();
  offsets_ = along_normals(p.col(0));  // of whichever corner is farthest, so that round-off makes no gap
  for (int a = 1; a < 4; ++a) offsets_ = offsets_.cwiseMax(along_normals(p.col(a)));
}

SeparatingPlane FaceGaps::widest() const
{
  Widest widest{0};
  widest.take_faces(*this);
  return widest.plane;
}

SeparatingPlane FaceGaps::lasting(const Mat34& v_a, const Mat34& v_b, double time, double skin) const
{
  const auto lasts = [&](const Vec3& n, double needed) {
    return gap_along(n, a_ + time * v_a, b_ + time * v_b) > needed;
  };
  for (int face = 0; face < 4; ++face) {
    const double by_a = skin * of_a_.length(face), by_b = skin * of_b_.length(face);
    if (beyond_a_[face] > by_a && lasts(of_a_.normal(face), by_a)) return SeparatingPlane::face_of_first(face);
    if (beyond_b_[face] > by_b && lasts(-of_b_.normal(face), by_b)) return SeparatingPlane::face_of_second(face);
  }
  return {};
}

SeparatingPlane separating_plane(const Mat34& a, const Mat34& b, double least)
{
  Widest widest{least};
  widest.take_faces(FaceGaps(a, FacePlanes(a), b, FacePlanes(b)));
  if (widest.plane.none())
    for_each_plane_along_edges(a, b, [&widest](double gap, const Vec3& n, SeparatingPlane plane) {
      if (gap > 0) widest.take(gap, n.norm(), plane);
      return true;
    });
  return widest.plane;
}

bool are_apart(const Mat34& a, const Mat34& b, double least)
{
  Widest widest{least};
  widest.take_faces(FaceGaps(a, FacePlanes(a), b, FacePlanes(b)));
  bool apart = !widest.plane.none();
  if (!apart)
    for_each_plane_along_edges(a, b, [&apart, least](double gap, const Vec3& n, SeparatingPlane) {
      apart = gap > least * n.norm();
      return !apart;
    });
  return apart;
}

}  // namespace sunder::geometry
