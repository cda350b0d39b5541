#pragma once
/// The overlap of a tetrahedron and a rigid primitive, in closed form. Pure kernels: no state, no allocation, any
/// thread.

#include "core/types.hpp"

namespace sunder::geometry {

/// The region shared by a tetrahedron and an obstacle.
struct Overlap {
  /// [m^3]; exactly 0 if they are apart, touch, or the tetrahedron is flat.
  double volume = 0;
  Vec3 centre = Vec3::Zero();                                 ///< Centre of volume, inside the tetrahedron. [m]
  Eigen::Vector4d weights = Eigen::Vector4d::Constant(0.25);  ///< Its barycentric coordinates: >= 0, sum 1.
  /// Area vector of the obstacle's surface inside the tetrahedron, out of the obstacle. It equals minus the area
  /// vectors of the tetrahedron's faces inside the obstacle (T 5.4). Moving the tetrahedron by dx changes volume by
  /// -area . dx. [m^2]
  Vec3 area = Vec3::Zero();
};

/// Local. Corners p of either orientation, against the half-space normal . (x - point) < 0. normal: unit, outward.
/// Exact: a sum of positive terms, so a sliver of overlap is as accurate as the corners' heights over the plane.
Overlap overlap_half_space(const Mat34& p, const Vec3& point, const Vec3& normal);

/// Local. Corners p of either orientation, against a ball. Exact; T flattens the ball's surface instead. The region is
/// a sum of cones from the ball's centre over the four faces. Each face is divided into the region inside the ball,
/// which is planar with lines and arcs for its boundary, and the region outside, which is projected to a spherical
/// triangle cut by arcs. The round-off of volume is about 1e-16 radius^3, so radius may be a few thousand times the
/// tetrahedron's size.
Overlap overlap_sphere(const Mat34& p, const Vec3& centre, double radius);

/// Local. Corners p of either orientation, against a solid box. Exact: the tetrahedron clipped by its six half-spaces.
/// @param centre       [m]
/// @param axes         orthonormal columns along its edges
/// @param half_size    half the lengths of its edges [m]
Overlap overlap_box(const Mat34& p, const Vec3& centre, const Mat3& axes, const Vec3& half_size);

}  // namespace sunder::geometry
