#pragma once
/// Makes the pair list from the pairs found: its elements, its nodes and the ranks that send them, its pairs in order.

#include "contact/broad_phase/surface_element.hpp"

#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder::contact {

/// Builds one list: constructor, add_pairs() once, finish() once.
class PairListBuilder {
public:
  /// @param slots     of the first elements; the other elements are other ranks'
  /// @param elements  must outlive it
  PairListBuilder(const Comm& comm, const mesh::TetMesh& mesh, std::span<const LocalIndex> slots,
                  std::span<const SurfaceElement> elements);

  /// Local. found: first the num_new new pairs, in any order; then the pairs taken over, in the order of the earlier
  /// list.
  void add_pairs(std::vector<Found> found, std::size_t num_new, const PairList* earlier);

  /// Collective: one sparse exchange. Asks the owners of nodes that are not held here to send these nodes each step.
  /// Returns the list; its window, others and watched are left for the caller to fill in.
  PairList finish();

private:
  int element(int surface_element);
  int node(NodeId id, Rank owner);

  const Comm& comm_;
  const mesh::TetMesh& mesh_;
  std::span<const LocalIndex> slots_;
  std::span<const SurfaceElement> elements_;
  PairList list_;
  std::vector<int> element_of_;  // (candidates) in list_.elements, -1 if not there
  std::unordered_map<NodeId, int> node_of_;
  std::map<Rank, std::vector<std::pair<NodeId, int>>> wanted_;  // of each owner: id, position in list_.nodes
};

}  // namespace sunder::contact
