#pragma once
/// Around cracks that links still hold: where no other crack starts beside them. docs/cohesion.md.

#include "element/model.hpp"
#include "fracture/node_set.hpp"
#include "partition/halo/halo.hpp"

#include <span>
#include <vector>

namespace sunder::fracture {

/// Local. Do elements around node n have both halves of a node that was parted, or both sides of a slit of the mesh? A
/// crack through n then goes on with that one. n is owned.
bool continues_crack(const mesh::TetMesh& mesh, LocalIndex n);

/// A distance that is told from node to node along edges of the mesh at rest: what each node has left of it. A way has
/// at most `most_edges`.
class Reach {
public:
  static constexpr int most_edges = 16;

  void clear();                      ///< Local. Costs what it has.
  void start(LocalIndex num_nodes);  ///< Local. Empty, for so many nodes.
  /// Local. The node has at least so much left [m]. Returns whether it had less.
  bool raise(LocalIndex n, double left);
  /// Collective on the halo's neighbours: most_edges + 1 exchanges. From the members on; within: no further than these,
  /// or null.
  void spread(const mesh::TetMesh& mesh, const partition::Halo& halo, const Reach* within);

  bool contains(LocalIndex n) const
  {
    return static_cast<std::size_t>(n) < left_.size() && left_[static_cast<std::size_t>(n)] > 0;
  }
  std::span<const LocalIndex> members() const noexcept { return members_; }  ///< In the order in which they came.

private:
  std::vector<double> left_;         // (nodes) of the distance beyond the node [m]; 0: outside
  std::vector<LocalIndex> members_;  // nodes that have some
  NodeSet raised_;                   // of spread()
};

/// Which of some nodes are within a share of the zone E G_c/(strength^2 (1 - nu^2)) of a node with a link that holds,
/// along edges. Its arrays are kept.
class Exclusion {
public:
  /// Collective on the halo's neighbours: 2 (most_edges + 1) exchanges, none if the share is 0. Looks around these
  /// owned nodes, no further than a crack may be: costs what is there, however long cracks are. contains() is right for
  /// them.
  void look(const element::Model& model, const partition::Halo& halo, double share, std::span<const LocalIndex> nodes);
  bool contains(LocalIndex n) const { return excluded_.contains(n); }  ///< Local.
  void clear();                                                        ///< Local.

private:
  Reach near_;      // the nodes that were asked for
  Reach excluded_;  // of those near them, the ones near young cracks
};

}  // namespace sunder::fracture
