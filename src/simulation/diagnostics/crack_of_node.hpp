#pragma once
/// Which crack a node of a crack face belongs to.

#include "core/comm.hpp"
#include "mesh/tet_mesh.hpp"

#include <vector>

namespace sunder::simulation {

/// Crack faces that share a point of the undeformed material, on whichever side they are, are of one crack. A crack is
/// known by its smallest point, the same on any number of ranks.
class CrackOfNode {
public:
  /// Collective: one combining exchange of the points of crack faces held, to find those that several ranks have, and
  /// connected_components() of these. O(nodes held) of memory.
  CrackOfNode(const Comm& comm, const mesh::TetMesh& mesh);

  /// Local. Is n a corner of a crack face held here?
  bool contains(LocalIndex n) const { return place_[static_cast<std::size_t>(n)] >= 0; }
  /// Local. The crack of such a corner.
  const NodeId& operator()(LocalIndex n) const { return cracks_[static_cast<std::size_t>(part(n))]; }
  /// Local. The part held here of the crack of such a corner: below num_parts().
  LocalIndex part(LocalIndex n) const { return part_[static_cast<std::size_t>(place_[static_cast<std::size_t>(n)])]; }
  std::size_t num_parts() const noexcept { return cracks_.size(); }

private:
  std::vector<LocalIndex> place_;  // (nodes) in part_; -1: no corner of a crack face
  std::vector<LocalIndex> part_;   // (points of crack faces)
  std::vector<NodeId> cracks_;     // (parts)
};

}  // namespace sunder::simulation
