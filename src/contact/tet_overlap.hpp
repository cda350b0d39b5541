#pragma once
/// What two tetrahedra share, by clipping one against the other (T 5.2.2). Pure kernel: no state, no allocation.

#include "core/types.hpp"

#include <cstdint>

namespace sunder::contact {

/// Set of faces of one tetrahedron: bit a is the face opposite corner a.
using FaceSet = std::uint8_t;

/// A tetrahedron's barycentric coordinates as linear functions: column a of gradient is grad N_a [1/m].
struct Barycentric {
  Vec3 origin = Vec3::Zero();  ///< Corner 0.
  Mat34 gradient = Mat34::Zero();
  double volume = 0;  ///< [m^3], negative if inside out; 0 if it is flat, and gradient is not to be used.

  Eigen::Vector4d at(const Vec3& x) const;
};

/// Local. Of the corners p.
Barycentric barycentric(const Mat34& p);

/// The region two tetrahedra a and b share: a convex polyhedron of up to eight faces.
struct TetOverlap {
  double volume = 0;  ///< [m^3]; exactly 0 if they are apart or touch, or one of them is flat.
  Eigen::Vector4d weights_a =
      Eigen::Vector4d::Zero();  ///< Barycentric coordinates in a of its centre of volume (T 5.5).
  Eigen::Vector4d weights_b = Eigen::Vector4d::Zero();  ///< The same point's in b.
  /// Area vectors out of b of the region's faces that come from b: minus those from a out of a (T 5.4). Moving a by dx
  /// changes volume by -area . dx. [m^2]
  Vec3 area = Vec3::Zero();
  /// Free surface alone: out of b of faces that come from b's free faces, minus out of a of those from a's. [m^2]
  Vec3 free_area = Vec3::Zero();
};

/// Local. Corners of either orientation; free_a, free_b: faces that belong to no other element. Swapping a and b swaps
/// the weights and turns both areas round. Exact to round-off of the larger of the two volumes: the region is kept as a
/// closed surface whatever round-off does to coplanar faces, coincident corners and crossing edges.
TetOverlap overlap_tets(const Mat34& a, const Mat34& b, FaceSet free_a, FaceSet free_b);

/// Local. The same, with barycentric(a) and barycentric(b) known.
TetOverlap overlap_tets(const Mat34& a, const Barycentric& in_a, const Mat34& b, const Barycentric& in_b,
                        FaceSet free_a, FaceSet free_b);

}  // namespace sunder::contact
