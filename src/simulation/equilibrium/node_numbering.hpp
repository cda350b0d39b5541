#pragma once
/// The nodes of a rank as solvers number them: owned ones first, ascending by id, then ghosts, then guests.

#include "element/model.hpp"
#include "partition/halo/halo.hpp"
#include "solvers/block_matrix.hpp"

#include <compare>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace sunder::simulation {

/// Of the nodes that have an element. Valid until the mesh or the halo changes.
class NodeNumbering {
public:
  /// Collective.
  NodeNumbering(const element::Model& model, const partition::Halo& halo);
  NodeNumbering(const NodeNumbering&) = delete;
  NodeNumbering& operator=(const NodeNumbering&) = delete;

  /// A node that is not held here but has a part in rows of owned nodes, as where bodies touch. For solvers it is a ghost.
  struct Guest {
    Rank owner = 0;
    NodeId id = 0;
    auto operator<=>(const Guest&) const = default;
  };
  /// Collective. These replace the guests there are; each may be named more than once. Nodes held keep their indices.
  void set_guests(const element::Model& model, std::vector<Guest> guests);

  const solvers::NodeLayout& layout() const noexcept { return layout_; }                        ///< Local.
  LocalIndex node(LocalIndex i) const { return nodes_[static_cast<std::size_t>(i)]; }           ///< Local. In the mesh.
  LocalIndex index(LocalIndex node) const { return indices_[static_cast<std::size_t>(node)]; }  ///< Local. -1: none.
  LocalIndex guest(NodeId id) const { return guests_.at(id); }                                  ///< Local. Its index.
  LocalIndex num_owned() const noexcept { return layout_.num_owned; }                           ///< Local.

private:
  struct Peer {
    std::vector<LocalIndex> mirrors, ghosts;  // indices in the layout
  };

  void list_nodes(const mesh::TetMesh& mesh);
  void list_neighbours(const partition::Halo& halo);
  void update_ghosts(std::span<double> values) const;
  void invite(const mesh::TetMesh& mesh, std::span<const Guest> guests);
  void describe_guests();

  solvers::NodeLayout layout_;
  std::vector<LocalIndex> nodes_;                  // (owned and ghosts) index in the mesh
  std::vector<LocalIndex> indices_;                // (mesh nodes) index in the layout
  std::unordered_map<NodeId, LocalIndex> guests_;  // index in the layout
  std::map<Rank, Peer> neighbours_, peers_;        // without and with guests
  std::vector<Rank> ranks_;                        // of peers_
};

}  // namespace sunder::simulation
