#pragma once
/// Step 6 of a crack, mend: keep the star of every node in one piece, and find the new crack tip. docs/remeshing.md.

#include "fracture/apply.hpp"
#include "fracture/tell.hpp"

namespace sunder::fracture {

/// Collective on the halo's neighbours. Owned nodes among changes.nodes whose stars have come apart get a copy for each
/// further component. Returns the copies made of all nodes held here.
std::vector<Copying> mend(element::Model& model, const partition::Halo& halo, Changes& changes);

/// Local. Nodes of the new crack tip joined to the node of an event this rank planned: those that still hold both sides
/// together, after mending. Ascending by id.
std::vector<LocalIndex> crack_tip(const mesh::TetMesh& mesh, const Plan& plan, const std::vector<Copying>& mended);

}  // namespace sunder::fracture
