#pragma once
/// The overlap of two tetrahedra, by clipping one with the other (T 5.2.2). Pure kernel: no state, no allocation.

#include "geometry/barycentric.hpp"

namespace sunder::geometry {

/// The region two tetrahedra a and b share: a convex polyhedron of up to eight faces.
struct TetOverlap {
  double volume = 0;  ///< [m^3]; exactly 0 if they are apart or touch, or one of them is flat.
  Eigen::Vector4d weights_a =
      Eigen::Vector4d::Zero();  ///< Barycentric coordinates in a of its centre of volume (T 5.5).
  Eigen::Vector4d weights_b = Eigen::Vector4d::Zero();  ///< Barycentric coordinates of the same point in b.
  /// Sum of the area vectors, out of b, of the region's faces that come from b. It equals minus the sum for the faces
  /// that come from a, out of a (T 5.4). Moving a by dx changes volume by -area . dx. [m^2]
  Vec3 area = Vec3::Zero();
};

/// Local. Corners of either orientation. Swapping a and b swaps the weights and reverses the area. The error is
/// round-off of the larger of the two volumes: the region stays a closed surface, whatever round-off does to coplanar
/// faces, coincident corners and crossing edges.
TetOverlap overlap_tets(const Mat34& a, const Mat34& b);

/// Local. The same, with barycentric(a) and barycentric(b) known.
TetOverlap overlap_tets(const Mat34& a, const Barycentric& in_a, const Mat34& b, const Barycentric& in_b);

/// Local. The same to round-off, by the arithmetic of overlap_slope(): where an equilibrium is looked for, overlaps and
/// their slopes must agree to the last digit, or Newton's method stalls where faces coincide. It takes three times as long.
TetOverlap overlap_as_slope(const Mat34& a, const Barycentric& in_a, const Mat34& b, const Barycentric& in_b);

/// How an overlap changes with the corners of both tetrahedra, to first order: column 3 c + i is the derivative by axis i
/// of corner c of a, column 12 + 3 c + i that of corner c of b.
template <int rows>
using Slope = Eigen::Matrix<double, rows, 24>;

struct TetOverlapSlope {
  TetOverlap overlap;  ///< As of overlap_tets(), to round-off.
  Slope<1> volume = Slope<1>::Zero();
  Slope<3> area = Slope<3>::Zero();
  Slope<4> weights_a = Slope<4>::Zero(), weights_b = Slope<4>::Zero();
};

/// Local. Exact: the clipping is done with dual numbers over the sixteen barycentric coordinates that one's corners have
/// in the other; the rest is the chain rule. One-sided where the region's faces change their number. All zero if there
/// is no overlap. Several times the cost of overlap_tets().
TetOverlapSlope overlap_slope(const Mat34& a, const Barycentric& in_a, const Mat34& b, const Barycentric& in_b);

}  // namespace sunder::geometry
