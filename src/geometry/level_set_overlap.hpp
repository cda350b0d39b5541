#pragma once
/// The overlap of a tetrahedron and a solid that is known by the signed distance to its surface. Pure.

#include "geometry/primitive_overlap.hpp"

#include <array>
#include <cmath>

namespace sunder::geometry {

/// Four points inside a tetrahedron: a part of it.
struct TetPart {
  Mat34 p;                     ///< [m]
  Eigen::Matrix4d weights;     ///< Barycentric coordinates of the columns of p in the whole.
  Eigen::Vector4d distance{};  ///< Signed distances of the columns, negative inside the solid [m].
};

/// Local. Adds the region of a part where the linear interpolant of its distances is negative: exact for that. centre
/// and weights of the sum are moments, volume times mean; the caller divides.
void add_linear_overlap(const TetPart& part, Overlap& sum);

/// Adds the overlap of a part, divided into eight `levels` times where it may meet the surface. A distance changes by
/// no more than the way: a part whose corner is farther from the surface than it is long lies on one side. That skips
/// only what would add the same anyway, so the overlap depends continuously on the corners.
template <class Distance>
void add_level_set_overlap(const TetPart& part, int levels, const Distance& distance, Overlap& sum)
{
  double longest = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b) longest = std::max(longest, (part.p.col(a) - part.p.col(b)).norm());
  if (part.distance.maxCoeff() > longest) return;
  if (levels == 0 || part.distance.minCoeff() < -longest) return add_linear_overlap(part, sum);

  constexpr std::array<std::array<int, 2>, 6> edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
  Eigen::Matrix<double, 3, 10> x;
  Eigen::Matrix<double, 4, 10> weights;
  Eigen::Matrix<double, 10, 1> d;
  x.leftCols<4>() = part.p, weights.leftCols<4>() = part.weights, d.head<4>() = part.distance;
  for (int e = 0; e < 6; ++e) {
    const auto& [a, b] = edges[static_cast<std::size_t>(e)];
    x.col(4 + e) = (part.p.col(a) + part.p.col(b)) / 2;
    weights.col(4 + e) = (part.weights.col(a) + part.weights.col(b)) / 2;
    d[4 + e] = distance(Vec3(x.col(4 + e)));
  }
  // 4: 01, 5: 02, 6: 03, 7: 12, 8: 13, 9: 23; the octahedron in the middle is cut along 02-13.
  constexpr std::array<std::array<int, 4>, 8> children{
      {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3}, {4, 5, 6, 8}, {4, 5, 8, 7}, {5, 6, 8, 9}, {5, 8, 7, 9}}};
  for (const auto& child : children) {
    TetPart of;
    for (int a = 0; a < 4; ++a) {
      const int k = child[static_cast<std::size_t>(a)];
      of.p.col(a) = x.col(k), of.weights.col(a) = weights.col(k), of.distance[a] = d[k];
    }
    add_level_set_overlap(of, levels - 1, distance, sum);
  }
}

/// Local. Corners p of either orientation, against the solid where distance(x) [m] is negative. Between points of a
/// lattice, 2^levels of them along an edge, distances are taken to be linear. So a convex solid seems smaller by at
/// most h^2/8R for a radius R and a lattice of h, and an edge or a corner of the solid that reaches between the points
/// is seen once it is about h/2 deep.
template <class Distance>
Overlap overlap_level_set(const Mat34& p, int levels, const Distance& distance)
{
  TetPart whole{p, Eigen::Matrix4d::Identity(), {}};
  for (int a = 0; a < 4; ++a) whole.distance[a] = distance(Vec3(p.col(a)));
  Overlap sum;
  sum.weights.setZero();
  add_level_set_overlap(whole, levels, distance, sum);
  if (!(sum.volume > 0)) return {};
  sum.centre /= sum.volume, sum.weights /= sum.volume;
  return sum;
}

}  // namespace sunder::geometry
