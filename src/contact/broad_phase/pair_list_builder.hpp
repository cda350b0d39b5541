#pragma once
/// Makes the pair list, and mends it where elements change.

#include "contact/broad_phase/surface_element.hpp"

#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder::contact {

/// Two elements that may touch, in the order of their ids. A slot of this rank's mesh, or below 0 another rank's
/// element: see ListedElement::slot. There are as many as pairs, so they have no ids of their own.
struct Found {
  LocalIndex first, second;
  geometry::SeparatingPlane plane;  ///< Across which they have a gap now.
};

/// A change of the list: begin(); or begin_change(), remove(), end_removal() and let_go(). Then add_pairs(), as often
/// as there are some, then ask_owners().
class PairListBuilder {
public:
  const PairList& list() const noexcept { return list_; }
  PairList& list() noexcept { return list_; }

  void begin(const ListWindow& window);  ///< An empty list, with room for as many pairs as before.
  void begin_change();

  void remove(LocalIndex slot);  ///< The element, if it is in the list.
  void end_removal();            ///< What has been removed goes with its pairs.
  /// found: in any order. others: elements of other ranks, by ~slot.
  void add_pairs(const SweptBodies& bodies, std::span<const Found> found, std::span<const SurfaceElement> others);
  /// This rank holds no element around n any more. If elements of other ranks have it, its owner has to send it.
  void let_go(const mesh::TetMesh& mesh, LocalIndex n);
  /// Node n is to be watched, with this linear motion from now on.
  void watch(LocalIndex n, const NodeMotion& motion);
  bool watched(LocalIndex n) const
  {
    return static_cast<std::size_t>(n) < watched_at_.size() && watched_at_[static_cast<std::size_t>(n)] >= 0;
  }

  /// Collective on `ranks`: asks the owners of nodes that are not held here to send these nodes each step. All such
  /// owners are among the ranks.
  void ask_owners(const Comm& comm, const mesh::TetMesh& mesh, std::span<const Rank> ranks);

private:
  int element(const SweptBodies& bodies, LocalIndex slot, std::span<const SurfaceElement> others);
  int held_node(const mesh::TetMesh& mesh, LocalIndex n);
  int node_of_other(const mesh::TetMesh& mesh, const SurfaceElementFacts& element, std::size_t corner);
  int new_node(LocalIndex n, NodeId id, const Vec3& X);
  void lose(const TouchingPair& touching);
  void drop_pairs_of_removed();
  int& element_of(LocalIndex slot);

  PairList list_;
  std::vector<int> element_of_held_, element_of_other_;         // (slots), (~slots) in list_.elements, -1 if not there
  std::vector<int> of_held_;                                    // (nodes) in list_.nodes, -1 if not there
  std::unordered_map<NodeId, int> of_others_;                   // the same of nodes that other ranks send
  std::vector<int> uses_;                                       // (list_.nodes) by listed elements
  std::vector<int> watched_at_;                                 // (nodes) in list_.watched, -1 if not there
  std::vector<int> free_nodes_, free_elements_;                 // gaps that may be filled
  std::vector<int> removed_;                                    // elements, by this change
  std::vector<std::uint8_t> is_removed_;                        // (list_.elements)
  std::map<Rank, std::vector<std::pair<NodeId, int>>> wanted_;  // of each owner: id, position in list_.nodes
};

}  // namespace sunder::contact
