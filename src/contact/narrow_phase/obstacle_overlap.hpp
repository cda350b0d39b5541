#pragma once
/// Overlap, depth and distance between an obstacle and an element, a point or a box. Pure.

#include "contact/narrow_phase/depth.hpp"
#include "geometry/box.hpp"
#include "geometry/primitive_overlap.hpp"
#include "rigid/body.hpp"
#include "rigid/motion.hpp"

namespace sunder::contact {

/// Local. What the tetrahedron with the corners p [m] shares with the obstacle.
geometry::Overlap overlap_with(const rigid::Body& obstacle, const rigid::Motion& motion, const Mat34& p);

/// Local. Unit vector out of the obstacle at the overlap: the half-space's normal; for other shapes the mean normal
/// of the surface inside the element (T 5.4). If an element is inside the obstacle, no surface is inside the element.
/// The vector then is the way out: away from the centre or axis of round shapes, to a box's nearest faces; it changes
/// from one to the other continuously, so the force is continuous, and is shorter than 1 only near the centre, where no
/// direction is better than another. Out of a mesh it is the nearest face's normal, which may jump.
Vec3 contact_normal(const geometry::Overlap& overlap, const rigid::Body& obstacle, const rigid::Motion& motion);

/// Local. Depth of the point x [m] in the obstacle.
Depth depth_in(const rigid::Body& obstacle, const rigid::Motion& motion, const Vec3& x);

/// Local. A lower bound of the distance between obstacle and box [m]; never positive if they meet.
double gap_to(const rigid::Body& obstacle, const rigid::Motion& motion, const geometry::Box& box);

/// Local. The box around the corners p.
geometry::Box box_around(const Mat34& p);

}  // namespace sunder::contact
