#pragma once
/// Makes the pair list from the pairs found: its elements, its nodes and the ranks that send them, its pairs in order.

#include "contact/broad_phase/swept_surface.hpp"

#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder::contact {

/// Builds one list: constructor, add_pairs() once, finish() once.
class PairListBuilder {
public:
  /// Elements have the positions of the swept surface, then those of other ranks follow. All must outlive it.
  PairListBuilder(const Comm& comm, const mesh::TetMesh& mesh, const SweptSurface& swept,
                  std::span<const SurfaceElement> others);

  /// Local. found: first the num_new new pairs, in any order; then the pairs taken over, in the order of the earlier
  /// list.
  void add_pairs(std::vector<Found> found, std::size_t num_new, const PairList* earlier);

  /// Collective: one sparse exchange. Asks the owners of nodes that are not held here to send these nodes each step.
  /// Returns the list; its window, others and watched are left for the caller to fill in.
  PairList finish();

private:
  int element(int candidate);
  int node(NodeId id, Rank owner);
  int held_node(LocalIndex n);

  const Comm& comm_;
  const mesh::TetMesh& mesh_;
  const SweptSurface& swept_;
  std::span<const SurfaceElement> others_;
  PairList list_;
  std::vector<int> element_of_;                                 // (candidates) in list_.elements, -1 if not there
  std::vector<int> of_held_;                                    // (nodes) in list_.nodes, -1 if not there
  std::unordered_map<NodeId, int> node_of_;                     // the same of nodes of other ranks' elements
  std::map<Rank, std::vector<std::pair<NodeId, int>>> wanted_;  // of each owner: id, position in list_.nodes
};

}  // namespace sunder::contact
