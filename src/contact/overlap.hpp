#pragma once
/// What a tetrahedron has in common with an obstacle: volume, centre and direction, T 5.3-5.5. Exact.

#include "core/types.hpp"

namespace sunder::contact {

struct Overlap {
  double volume = 0;              ///< [m^3]
  Vec3 centre = Vec3::Zero();     ///< Mass centre of the common region [m].
  Vec3 out = Vec3::Zero();        ///< Unit direction that pushes the tetrahedron out of the obstacle.
};

/// Local. Corners x (3, 4) of either orientation; a flat tetrahedron has no overlap. The half-space is the set of
/// points y with normal . (y - point) < 0; out is its normal.
Overlap overlap_half_space(const Mat34& x, const Vec3& point, const Vec3& normal);

/// Local. In closed form, nothing flattened; out follows T 5.4: against the area vector of the tetrahedron's faces inside
/// the ball; radial if it is wholly inside, where that vector vanishes.
Overlap overlap_ball(const Mat34& x, const Vec3& centre, double radius);

/// Local. Barycentric coordinates of y; equal shares for a flat tetrahedron. They sum to 1.
Eigen::Vector4d barycentric(const Mat34& x, const Vec3& y);

}  // namespace sunder::contact
