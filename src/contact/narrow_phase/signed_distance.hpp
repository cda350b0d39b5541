#pragma once
/// Signed distance to obstacles that have no closed form of their overlap with an element: cylinders, capsules, meshes.

#include "rigid/body.hpp"

namespace sunder::contact {

/// Local. Of a point in the obstacle's own frame.
geometry::SignedDistance signed_distance(const rigid::Body& obstacle, const Vec3& x);

/// Local. The direction out of the obstacle for an element inside it, x in the obstacle's own frame. It changes
/// continuously for a cylinder or a capsule, and is shorter than 1 near the middle; of a mesh it is the nearest face's
/// normal.
Vec3 way_out(const rigid::Body& obstacle, const Vec3& x);

}  // namespace sunder::contact
