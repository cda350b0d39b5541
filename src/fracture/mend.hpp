#pragma once
/// Step 6 of a crack, mend: keep the star of every node in one piece, and find where the crack has come to.
/// docs/remeshing.md.

#include "fracture/apply.hpp"
#include "fracture/tell.hpp"

namespace sunder::fracture {

/// Collective on the halo's neighbours. Owned nodes among changes.nodes whose stars have come apart get a copy for each
/// further component. Returns the copies made of all nodes held here.
std::vector<Copying> mend(element::Model& model, const partition::Halo& halo, Changes& changes);

/// Nodes joined to what the node of an event has become. Each ascending by id.
struct Surroundings {
  std::vector<LocalIndex> tip;     ///< Joined to both sides, and so holding them together: the new crack tip.
  std::vector<LocalIndex> beside;  ///< Joined to one side only, with the sides themselves: the crack has passed them.
};

/// Local, after mending. For an event that this rank planned.
Surroundings surroundings(const mesh::TetMesh& mesh, const Plan& plan, const std::vector<Copying>& mended);

}  // namespace sunder::fracture
