#include "geometry/separating_axis.hpp"

#include <algorithm>
#include <array>

namespace sunder::geometry {
namespace {

constexpr std::array<std::array<int, 2>, 6> edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// A normal is the cross product of two ways between corners: 0 to 3 of a, 4 to 7 of b.
struct Ways {
  std::array<std::uint8_t, 2> first, second;
};

/// Of the planes none, opposite a's and b's corners, along edges: as codes count them.
constexpr std::array<Ways, 45> ways_of = [] {
  std::array<Ways, 45> ways{};
  const auto corner = [](int k) { return static_cast<std::uint8_t>(k); };
  for (int k = 0; k < 8; ++k) {
    const auto other = [&](int i) { return corner(k / 4 * 4 + (k + i) % 4); };
    ways[static_cast<std::size_t>(1 + k)] = {{other(1), other(2)}, {other(1), other(3)}};
  }
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k)
      ways[9 + 6 * i + k] = {{corner(edges[i][0]), corner(edges[i][1])},
                             {corner(4 + edges[k][0]), corner(4 + edges[k][1])}};
  return ways;
}();

Vec3 along_edges(const Mat34& a, int edge_of_a, const Mat34& b, int edge_of_b)
{
  const auto [i, j] = edges[static_cast<std::size_t>(edge_of_a)];
  const auto [k, l] = edges[static_cast<std::size_t>(edge_of_b)];
  return (a.col(j) - a.col(i)).cross(b.col(l) - b.col(k));
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

/// Least and greatest n . x of the corners.
struct Extent {
  double least, greatest;

  Extent(Four n, const Corners& p)
  {
    const Four along = n[0] * p.x + n[1] * p.y + n[2] * p.z,
               swapped = __builtin_shufflevector(along, along, 1, 0, 3, 2);
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
      const Vec3 n = along_edges(a, i, b, k);
      if (!visit(gap_across(n, a, b), n, SeparatingPlane::edges(i, k))) return;
    }
}

}  // namespace

Vec3 SeparatingPlane::normal(const Mat34& a, const Mat34& b) const
{
  const auto way = [&](const std::array<std::uint8_t, 2>& way) -> Vec3 {
    const auto corner = [&](int k) -> Vec3 { return k < 4 ? a.col(k) : b.col(k - 4); };
    return corner(way[1]) - corner(way[0]);
  };
  const Ways& ways = ways_of[code_];
  const Vec3 n = way(ways.first).cross(way(ways.second));
  return n.dot((b - a).rowwise().sum()) < 0 ? Vec3(-n) : n;
}

/// This is what most pairs of a pair list cost, so it is done by hand.
bool SeparatingPlane::separates(const Corners& a, const Corners& b, double least) const
{
  if (none()) return false;
  const auto x = [&](std::size_t k) { return k < 4 ? a.corner(k) : b.corner(k - 4); };
  const auto [first, second] = ways_of[code_];
  const Four n = cross(x(first[1]) - x(first[0]), x(second[1]) - x(second[0]));
  const Extent along_a(n, a), along_b(n, b);
  const double gap = std::max(along_b.least - along_a.greatest, along_a.least - along_b.greatest);
  return gap > 0 && gap * gap > least * least * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
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
