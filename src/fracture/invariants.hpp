#pragma once
/// What is always true of the distributed mesh. Debug builds check it after every round of cracking, `sunder check`
/// after the set-up of a scene.

#include "element/model.hpp"
#include "partition/halo.hpp"

#include <optional>

namespace sunder::fracture {

/// Collective on the halo's neighbours. Returns the violation with the smallest id that this rank sees, or nothing. It
/// checks that
///   - every element held has an owned node, a positive material volume, and a lane that is up to date;
///   - each face belongs to one or two elements;
///   - the star of every owned node is one component;
///   - each ghost has the id, position and velocity of its owner's node.
std::optional<Failure> find_violation(const element::Model& model, const partition::Halo& halo);

}  // namespace sunder::fracture
