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

/// The nodes within a share of the zone E G_c/(strength^2 (1 - nu^2)) of a node with a link that holds, along edges of
/// the mesh at rest, of which a way has at most `most_edges`. Empty between cracks; its array is kept.
class Exclusion {
public:
  static constexpr int most_edges = 16;

  /// Collective on the halo's neighbours: most_edges + 1 exchanges, none if the share is 0. Starts from all links.
  void start(const element::Model& model, const partition::Halo& halo, double share);
  /// Collective as start(), which came before. Adds what is around these nodes, whose elements have changed.
  void grow(const element::Model& model, const partition::Halo& halo, double share, std::span<const LocalIndex> nodes);
  /// Local. Costs what it has.
  void clear();

  bool contains(LocalIndex n) const
  {
    return static_cast<std::size_t>(n) < left_.size() && left_[static_cast<std::size_t>(n)] > 0;
  }

private:
  bool raise(LocalIndex n, double left);
  void spread(const mesh::TetMesh& mesh, const partition::Halo& halo, std::vector<LocalIndex> raised);

  std::vector<double> left_;         // (nodes) of the distance beyond the node [m]; 0: outside
  std::vector<LocalIndex> members_;  // nodes that may have one
  NodeSet raised_;                   // of spread()
};

}  // namespace sunder::fracture
