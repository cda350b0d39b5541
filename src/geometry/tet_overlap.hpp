#pragma once
/// What two tetrahedra share, by clipping one against the other (T 5.2.2). Pure kernel: no state, no allocation.

#include "geometry/barycentric.hpp"

namespace sunder::geometry {

/// The region two tetrahedra a and b share: a convex polyhedron of up to eight faces.
struct TetOverlap {
  double volume = 0;  ///< [m^3]; exactly 0 if they are apart or touch, or one of them is flat.
  Eigen::Vector4d weights_a =
      Eigen::Vector4d::Zero();  ///< Barycentric coordinates in a of its centre of volume (T 5.5).
  Eigen::Vector4d weights_b = Eigen::Vector4d::Zero();  ///< The same point's in b.
  /// Area vectors out of b of the region's faces that come from b: minus those from a out of a (T 5.4). Moving a by dx
  /// changes volume by -area . dx. [m^2]
  Vec3 area = Vec3::Zero();
};

/// Local. Corners of either orientation. Swapping a and b swaps the weights and turns the area round. Exact to
/// round-off of the larger of the two volumes: the region is kept as a closed surface whatever round-off does to
/// coplanar faces, coincident corners and crossing edges.
TetOverlap overlap_tets(const Mat34& a, const Mat34& b);

/// Local. The same, with barycentric(a) and barycentric(b) known.
TetOverlap overlap_tets(const Mat34& a, const Barycentric& in_a, const Mat34& b, const Barycentric& in_b);

}  // namespace sunder::geometry
