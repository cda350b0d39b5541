#pragma once
/// Step 2 of a crack, choose: which of the failing nodes act in this round. docs/fracture.md.

#include "fracture/failing_nodes.hpp"
#include "fracture/node_set.hpp"
#include "partition/halo/halo.hpp"

#include <vector>

namespace sunder::fracture {

/// Of failing nodes the one with the greatest goes first.
struct ChoiceKey {
  double ratio = 0;
  NodeId id = 0;
  friend bool operator<(const ChoiceKey& a, const ChoiceKey& b)
  {
    return a.ratio != b.ratio ? a.ratio < b.ratio : a.id < b.id;
  }
  friend bool operator==(const ChoiceKey& a, const ChoiceKey& b) = default;
};

/// Keeps its array over the nodes from call to call, so that a call costs what is within two edges of failing nodes.
class Choice {
public:
  /// Collective on the halo's neighbours: three exchanges. Returns the failing nodes of this rank whose (v+/tau, id) is
  /// the greatest within three edges, ascending by id. A plan changes elements around its node, and elements that have
  /// two neighbours of its node as corners. Plans of nodes chosen so therefore touch disjoint sets of elements.
  /// docs/ownership.md.
  std::vector<LocalIndex> choose(const mesh::TetMesh& mesh, const partition::Halo& halo, const FailingNodes& failing);

private:
  std::vector<LocalIndex> raise_around(const mesh::TetMesh& mesh, const std::vector<LocalIndex>& raised);
  bool greatest_around(const mesh::TetMesh& mesh, LocalIndex n, const ChoiceKey& key) const;

  std::vector<ChoiceKey> keys_;       // (nodes) the greatest that the node has heard of; of ratio 0 between calls
  std::vector<LocalIndex> with_key_;  // all nodes with a key
  NodeSet raised_;                    // of raise_around()
};

}  // namespace sunder::fracture
