#pragma once
/// Step 6 of a crack: split nodes whose star is not manifold, so that every star is in one piece, and find the new tip.
/// docs/remeshing.md.

#include "fracture/apply.hpp"
#include "fracture/notify.hpp"

namespace sunder::fracture {

/// Collective on the halo's neighbours. Owned nodes among delta.nodes whose stars have come apart get a copy for each
/// further component. Returns the copies made of all nodes held here.
std::vector<NodeSplit> split_stars(element::Model& model, const partition::Halo& halo, MeshDelta& delta);

/// Nodes joined to what the node of an event has become. Each ascending by id.
struct Surroundings {
  std::vector<LocalIndex> tip;     ///< Joined to both sides, and so holding them together: the new crack tip.
  std::vector<LocalIndex> beside;  ///< Joined to one side only, with the sides themselves: the crack has passed them.
};

/// Local, after split_stars(). For an event that this rank planned.
Surroundings surroundings(const mesh::TetMesh& mesh, const Plan& plan, const std::vector<NodeSplit>& star_splits);

}  // namespace sunder::fracture
