#pragma once
/// The node-penetration criterion of P99 3.3: a node inside something is pushed out by how deep it is. Pure.
///
/// A node presses by `depth` times the surface it stands for, where the overlap criterion has a volume: so stiffness,
/// damping and friction mean the same for both. Each element adds its own share of that surface, and a node's elements
/// together press once, whichever of them a rank holds.

#include "contact/obstacle_contact.hpp"
#include "contact/pair_contact.hpp"

namespace sunder::contact {

/// How deep a point is in an obstacle.
struct Depth {
  double metres = 0;           ///< To the nearest point of its surface; not positive outside.
  Vec3 normal = Vec3::Zero();  ///< Out of the obstacle there; zero in the very centre of a sphere.
};

/// Local.
Depth depth_in(const Obstacle& obstacle, const ObstacleState& state, const Vec3& x);

/// Local. One element against one obstacle; p, v: (3, 4) corners. A corner stands for a quarter of volume^(2/3), as
/// which of the faces are free is not asked: a node of a flat surface gets about its share of it.
ElementContact element_contact_by_nodes(const Obstacle& obstacle, const ObstacleState& state, const Mat34& p,
                                        const Mat34& v);

/// Local. Corners of each element inside the other, as one force at their mean place, weighted like their directions by
/// how hard each presses: momentum and angular momentum are kept. A corner goes out through the nearest free face and
/// stands for a third of its element's free faces that meet there. An element inside out touches nothing.
Touch touch_by_nodes(const Side& a, const Side& b);

}  // namespace sunder::contact
