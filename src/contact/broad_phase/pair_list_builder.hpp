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
  /// @param held        slots of the mesh that the first candidates stand for; the others are other ranks'
  /// @param candidates  must outlive it
  PairListBuilder(const Comm& comm, const mesh::TetMesh& mesh, std::span<const LocalIndex> held,
                  std::span<const SurfaceElement> candidates);

  /// Local, once. found: the first num_new in any order, then those taken over from earlier, which stand as they do
  /// there.
  void add_pairs(std::vector<Found> found, std::size_t num_new, const PairList* earlier);

  /// Collective, then. Owners of nodes that are not held here are asked to send them each step. Returns the list,
  /// without what the search alone knows.
  PairList finish();

private:
  int element(int candidate);
  int node(NodeId id, Rank owner);

  const Comm& comm_;
  const mesh::TetMesh& mesh_;
  std::span<const LocalIndex> held_;
  std::span<const SurfaceElement> candidates_;
  PairList list_;
  std::vector<int> element_of_;  // (candidates) in near_.elements, -1 if not there
  std::unordered_map<NodeId, int> node_of_;
  std::map<Rank, std::vector<std::pair<NodeId, int>>> wanted_;  // of each owner: id, position in near_.nodes
};

}  // namespace sunder::contact
