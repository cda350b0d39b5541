#pragma once
/// How an element, a point or a box lies to an obstacle: what they share, how deep, how far apart. Pure.

#include "contact/narrow_phase/depth.hpp"
#include "contact/obstacle.hpp"
#include "geometry/box.hpp"
#include "geometry/primitive_overlap.hpp"
#include "rigid/motion.hpp"

namespace sunder::contact {

/// Local. What the tetrahedron of the corners p shares with the obstacle.
geometry::Overlap overlap_with(const Obstacle& obstacle, const rigid::State& state, const Mat34& p);

/// Local. Unit vector out of the obstacle at the overlap. The half-space's normal; for the others the mean normal of
/// their surface in the element (T 5.4). As that surface shrinks to nothing around a swallowed element, it passes to
/// the way from the sphere's centre, or to the box's nearest faces, so the force stays continuous. It is shorter than 1
/// only next to the centre, where no way out is better than another.
Vec3 contact_normal(const geometry::Overlap& overlap, const Obstacle& obstacle, const rigid::State& state);

/// Local.
Depth depth_in(const Obstacle& obstacle, const rigid::State& state, const Vec3& x);

/// Local. At most the distance between obstacle and box [m]; never positive if they meet.
double gap_to(const Obstacle& obstacle, const rigid::State& state, const geometry::Box& box);

/// Local. Of the corners p.
geometry::Box box_around(const Mat34& p);

}  // namespace sunder::contact
