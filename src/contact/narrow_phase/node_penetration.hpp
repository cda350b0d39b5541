#pragma once
/// The node-penetration criterion of P99 3.3: a node inside something is pushed out by as much as it is deep. Pure.
///
/// The overlap criterion has a volume; this one takes the node's depth times the surface that the node stands for. So
/// stiffness, damping and friction mean the same for both. That surface is divided among the elements around the node,
/// and each element adds its own force. So the node presses once, whichever of its elements a rank holds.

#include "contact/narrow_phase/element_overlap.hpp"

namespace sunder::contact {

/// Local. Takes the corners of each element that are inside the other. Together they make one force, so momentum and
/// angular momentum are kept. Its place and its direction are means over these corners, weighted by depth times
/// surface. A corner is pushed out through the nearest free face. It stands for a third of the free faces of its
/// element that meet in it. There is no overlap if an element is inverted.
ElementOverlap overlap_by_nodes(const Side& a, const Side& b);

/// Local. How that changes with the corners, by central differences.
ElementOverlapSlope slope_of_overlap_by_nodes(const Side& a, const Side& b);

}  // namespace sunder::contact
