#pragma once
/// The nodes of a rank as solvers number them: owned ones first, ascending by id, then ghosts.

#include "element/model.hpp"
#include "partition/halo/halo.hpp"
#include "solvers/block_matrix.hpp"

#include <span>
#include <vector>

namespace sunder::simulation {

/// Of the nodes that have an element. Valid until the mesh or the halo changes.
class NodeNumbering {
public:
  /// Collective.
  NodeNumbering(const element::Model& model, const partition::Halo& halo);
  NodeNumbering(const NodeNumbering&) = delete;
  NodeNumbering& operator=(const NodeNumbering&) = delete;

  const solvers::NodeLayout& layout() const noexcept { return layout_; }                        ///< Local.
  LocalIndex node(LocalIndex i) const { return nodes_[static_cast<std::size_t>(i)]; }           ///< Local. In the mesh.
  LocalIndex index(LocalIndex node) const { return indices_[static_cast<std::size_t>(node)]; }  ///< Local. -1: none.
  LocalIndex num_owned() const noexcept { return layout_.num_owned; }                           ///< Local.

private:
  void list_nodes(const mesh::TetMesh& mesh);
  void list_neighbours(const partition::Halo& halo);
  void update_ghosts(std::span<double> values) const;

  solvers::NodeLayout layout_;
  std::vector<LocalIndex> nodes_;    // (layout) index in the mesh
  std::vector<LocalIndex> indices_;  // (mesh nodes) index in the layout
  std::vector<Rank> peers_;
  std::vector<std::vector<LocalIndex>> mirrors_, ghosts_;  // (peers) indices in the layout
};

}  // namespace sunder::simulation
