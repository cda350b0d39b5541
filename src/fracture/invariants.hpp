#pragma once
/// What is always true of the distributed mesh. Debug builds check it after every round; `sunder check` on a mesh.

#include "element/model.hpp"
#include "partition/halo.hpp"

#include <optional>

namespace sunder::fracture {

/// Collective on the halo's neighbours. The violation of the smallest id that this rank sees, or nothing: every element
/// held has an owned node, positive material volume and its lane; each face has one or two elements; stars of owned
/// nodes are in one piece; nodes this rank owns have elements; my ghosts are, entry by entry, their owners' nodes with
/// the same motion.
std::optional<Failure> find_violation(const element::Model& model, const partition::Halo& halo);

}  // namespace sunder::fracture
