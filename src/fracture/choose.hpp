#pragma once
/// Step 2 of a crack, choose: which of the failing nodes act in this round. docs/fracture.md.

#include "fracture/candidates.hpp"
#include "partition/halo.hpp"

namespace sunder::fracture {

/// Collective on the halo's neighbours. The failing nodes of this rank that have the greatest (v+/tau, id) within three
/// edges, ascending by id. An event changes elements whose nodes are at most two edges from it and share an edge one
/// from it, so events chosen so touch disjoint sets of elements.
std::vector<LocalIndex> choose(const mesh::TetMesh& mesh, const partition::Halo& halo, const Candidates& candidates);

}  // namespace sunder::fracture
