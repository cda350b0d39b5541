#pragma once
/// Overlap, depth and distance between an obstacle and an element, a point or a box. Pure.

#include "contact/narrow_phase/depth.hpp"
#include "contact/obstacle.hpp"
#include "geometry/box.hpp"
#include "geometry/primitive_overlap.hpp"
#include "rigid/motion.hpp"

namespace sunder::contact {

/// Local. What the tetrahedron with the corners p [m] shares with the obstacle.
geometry::Overlap overlap_with(const Obstacle& obstacle, const rigid::Motion& motion, const Mat34& p);

/// Local. Unit vector out of the obstacle at the overlap: the half-space's normal; for a sphere or a box the mean
/// normal of its surface inside the element (T 5.4). If an element is inside the obstacle, no surface is inside the
/// element. The vector then points away from the sphere's centre, or to the box's nearest faces. It changes from one to
/// the other continuously, so the force is continuous. It is shorter than 1 only near the centre, where no direction is
/// better than another.
Vec3 contact_normal(const geometry::Overlap& overlap, const Obstacle& obstacle, const rigid::Motion& motion);

/// Local. Depth of the point x [m] in the obstacle.
Depth depth_in(const Obstacle& obstacle, const rigid::Motion& motion, const Vec3& x);

/// Local. A lower bound of the distance between obstacle and box [m]; never positive if they meet.
double gap_to(const Obstacle& obstacle, const rigid::Motion& motion, const geometry::Box& box);

/// Local. The box around the corners p.
geometry::Box box_around(const Mat34& p);

}  // namespace sunder::contact
