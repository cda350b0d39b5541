#pragma once
/// Step 6 of a crack: splits nodes whose star has come apart, so that every star is one component, and finds the nodes
/// at the new tip. docs/remeshing.md.

#include "fracture/apply.hpp"
#include "fracture/notify.hpp"

namespace sunder::fracture {

/// Collective on the halo's neighbours: one exchange. Each owned node among delta.nodes whose star has several
/// components gets a copy for each component but the first. The splits are applied here and on all other holders.
/// Returns the splits of all nodes held here.
std::vector<NodeSplit> split_stars(element::Model& model, const partition::Halo& halo, MeshDelta& delta);

/// Nodes around the two nodes that a split node has become. Each list ascends by id.
struct Surroundings {
  std::vector<LocalIndex> tip;     ///< Joined to both sides, so they hold them together: the new crack tip.
  std::vector<LocalIndex> beside;  ///< Joined to one side only, and the sides' own nodes: the crack has passed them.
};

/// Local. For a plan of this rank, after split_stars().
Surroundings surroundings(const mesh::TetMesh& mesh, const Plan& plan, const std::vector<NodeSplit>& star_splits);

}  // namespace sunder::fracture
