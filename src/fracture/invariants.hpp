#pragma once
/// What is always true of the distributed mesh. Debug builds check it after every round of cracking, `sunder check`
/// after the set-up of a scene.

#include "element/model.hpp"
#include "partition/halo/halo.hpp"

#include <optional>

namespace sunder::fracture {

/// Collective on the halo's communicator. Returns the violation with the smallest id that this rank sees, or nothing.
/// It checks, in this order, that
///   1. every element held has an owned node, a positive material volume, and a lane that is up to date; each face
///      belongs to one or two elements; the star of a node lists the elements around it, ascending; no id occurs twice;
///   2. the halo has the lists that a new one would derive from the elements held;
///   3. the owner of each corner of an element holds the element: with the same corners, owners, material and order;
///   4. the star of every owned node is one component;
///   5. each ghost has the id, position and velocity of its owner's node.
/// Checks 4 and 5 are skipped if any rank has found a violation by 1 to 3.
std::optional<Failure> find_violation(const element::Model& model, const partition::Halo& halo);

}  // namespace sunder::fracture
