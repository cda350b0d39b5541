#pragma once
/// From pairs found to the list that is kept: elements, nodes and who sends them, pairs in order.

#include "contact/broad_phase/surface_element.hpp"

#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder::contact {

/// One list in the making.
class PairListBuilder {
public:
  /// @param slots     of the mesh, of the first elements; the others are other ranks'
  /// @param elements  must outlive it
  PairListBuilder(const Comm& comm, const mesh::TetMesh& mesh, std::span<const LocalIndex> slots,
                  std::span<const SurfaceElement> elements);

  /// Local, once. found: the first num_new in any order, then those taken over from earlier, which stand as they do
  /// there.
  void add_pairs(std::vector<Found> found, std::size_t num_new, const PairList* earlier);

  /// Collective, then. Owners of nodes that are not held here are asked to send them each step. Returns the list,
  /// without what the search alone knows.
  PairList finish();

private:
  int element(int surface_element);
  int node(NodeId id, Rank owner);

  const Comm& comm_;
  const mesh::TetMesh& mesh_;
  std::span<const LocalIndex> slots_;
  std::span<const SurfaceElement> elements_;
  PairList list_;
  std::vector<int> element_of_;  // (elements_) in list_.elements, -1 if not there
  std::unordered_map<NodeId, int> node_of_;
  std::map<Rank, std::vector<std::pair<NodeId, int>>> wanted_;  // of each owner: id, position in list_.nodes
};

}  // namespace sunder::contact
