#pragma once
/// What a tetrahedron and a rigid primitive share, in closed form. Pure kernels: no state, no allocation, any thread.

#include "core/types.hpp"

namespace sunder::geometry {

/// The region shared by a tetrahedron and an obstacle.
struct Overlap {
  /// [m^3]; exactly 0 if they are apart, touch, or the tetrahedron is flat.
  double volume = 0;
  Vec3 centre = Vec3::Zero();                                 ///< Centre of volume, inside the tetrahedron. [m]
  Eigen::Vector4d weights = Eigen::Vector4d::Constant(0.25);  ///< Its barycentric coordinates: >= 0, sum 1.
  /// Of the obstacle's surface inside the tetrahedron, out of the obstacle; minus the area vectors of the tetrahedron's
  /// faces inside the obstacle (T 5.4). Moving the tetrahedron by dx changes volume by -area . dx. [m^2]
  Vec3 area = Vec3::Zero();
};

/// Local. Corners p of either orientation, against the half-space normal . (x - point) < 0. normal: unit, outward.
/// Exact: a sum of positive terms, so a sliver of overlap is as accurate as the corners' heights over the plane.
Overlap overlap_half_space(const Mat34& p, const Vec3& point, const Vec3& normal);

/// Local. Corners p of either orientation, against a ball. Exact, where T flattens the curved face: cones from the
/// ball's centre over the four faces, each face split into the part inside the ball (planar, cut along lines and arcs)
/// and the part outside (a spherical triangle cut by arcs). Round-off of volume is about 1e-16 radius^3, so radius may
/// exceed the tetrahedron's size a few thousand times.
Overlap overlap_sphere(const Mat34& p, const Vec3& centre, double radius);

/// Local. Corners p of either orientation, against a solid box. Exact: the tetrahedron clipped by its six half-spaces.
/// @param centre       [m]
/// @param axes         orthonormal columns along its edges
/// @param half_size    half the lengths of its edges [m]
Overlap overlap_box(const Mat34& p, const Vec3& centre, const Mat3& axes, const Vec3& half_size);

}  // namespace sunder::geometry
