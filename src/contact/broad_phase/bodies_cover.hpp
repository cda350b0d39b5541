#pragma once
/// Boxes around all elements that a rank holds. Local.

#include "contact/broad_phase/surface_element.hpp"

namespace sunder::contact {

/// Boxes that together contain the swept boxes of all elements held, inside bodies too, and half an edge more: some 32,
/// and more where a few elements lie far from the rest. Each element is within one of them.
std::vector<geometry::Box> bodies_cover(const SweptBodies& bodies);

}  // namespace sunder::contact
