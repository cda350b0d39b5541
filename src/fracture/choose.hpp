#pragma once
/// Step 2 of a crack, choose: which of the failing nodes act in this round. docs/fracture.md.

#include "fracture/failing_nodes.hpp"
#include "partition/halo/halo.hpp"

namespace sunder::fracture {

/// Collective on the halo's neighbours: three exchanges. Returns the failing nodes of this rank whose (v+/tau, id) is
/// the greatest within three edges, ascending by id. A plan changes elements around its node, and elements that have
/// two neighbours of its node as corners. Plans of nodes chosen so therefore touch disjoint sets of elements.
/// docs/ownership.md.
std::vector<LocalIndex> choose(const mesh::TetMesh& mesh, const partition::Halo& halo, const FailingNodes& failing);

}  // namespace sunder::fracture
