#pragma once
/// The node-penetration criterion of P99 3.3: a node inside something is pushed out by how deep it is. Pure.
///
/// A node presses by `depth` times the surface it stands for, where the overlap criterion has a volume: so stiffness,
/// damping and friction mean the same for both. Each element adds its own share of that surface, and a node's elements
/// together press once, whichever of them a rank holds.

#include "contact/narrow_phase/element_overlap.hpp"

namespace sunder::contact {

/// Local. Corners of each element inside the other, as one force at their mean place, weighted like their directions by
/// how hard each presses: momentum and angular momentum are kept. A corner goes out through the nearest free face and
/// stands for a third of its element's free faces that meet there. An inverted element overlaps nothing.
ElementOverlap overlap_by_nodes(const Side& a, const Side& b);

}  // namespace sunder::contact
