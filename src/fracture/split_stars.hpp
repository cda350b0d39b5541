#pragma once
/// Step 6 of a crack: splits nodes whose star has come apart, so that every star is one component, and finds the nodes
/// at the new tip. docs/remeshing.md.

#include "fracture/apply.hpp"
#include "fracture/notify.hpp"

#include <functional>
#include <span>

namespace sunder::fracture {

/// Collective on the halo's neighbours: one exchange. Each owned node among delta.loosened whose star has several
/// components gets a copy for each component but the first. The splits are applied here and on all other holders.
/// Returns the splits of all nodes held here.
std::vector<NodeSplit> split_stars(element::Model& model, const partition::Halo& halo, MeshDelta& delta);

/// Do two elements that share a face still hold together there?
using Joined = std::function<bool(LocalIndex, LocalIndex)>;

/// What part_faces() did on this rank. Entries of a list may repeat.
struct PartResult {
  std::int64_t copies = 0;       ///< Of nodes of this rank.
  std::vector<NodeCopy> splits;  ///< Of nodes held.
};

/// Collective on the halo's neighbours: three exchanges. Parts the mesh along faces, without cutting an element: each
/// owned node among `nodes` gets a copy for each component of its star but the first, where faces that are not joined
/// do not connect. On return the model's fields and the halo agree again.
/// @param nodes   may repeat; all nodes of the faces that have ceased to be joined since the last call
/// @param joined  asked of elements around owned nodes; the same answer on every rank
/// @param time    now [s]: when the faces were made that this makes
PartResult part_faces(element::Model& model, partition::Halo& halo, std::span<const LocalIndex> nodes,
                      const Joined& joined, double time);

/// Nodes around the two nodes that a split node has become. Each list ascends by id.
struct Surroundings {
  std::vector<LocalIndex> tip;     ///< Joined to both sides, so they hold them together: the new crack tip.
  std::vector<LocalIndex> beside;  ///< Joined to one side only, and the sides' own nodes: the crack has passed them.
};

/// Local. For a plan of this rank, after split_stars().
Surroundings surroundings(const mesh::TetMesh& mesh, const Plan& plan, const std::vector<NodeSplit>& star_splits);

}  // namespace sunder::fracture
