#pragma once
/// What is always true of the distributed mesh. Debug builds check it after every round; `sunder check` on a mesh.

#include "element/model.hpp"
#include "partition/halo.hpp"

#include <optional>

namespace sunder::fracture {

/// Collective on the halo's communicator. The violation of the smallest id that this rank sees, or nothing. In turn:
///   1. every element held has an owned node, positive material volume and its lane; each face has one or two elements;
///      stars list the elements around their nodes, ascending; no id comes twice;
///   2. exchange lists are those that a new halo derives from the elements held;
///   3. the owner of each corner of an element holds it: same corners, same owners, same material, same order;
///   4. stars of owned nodes are in one piece;
///   5. ghosts are, entry by entry, their owners' nodes with the same motion.
/// The last two are not looked for where any rank has found one of the others.
std::optional<Failure> find_violation(const element::Model& model, const partition::Halo& halo);

}  // namespace sunder::fracture
