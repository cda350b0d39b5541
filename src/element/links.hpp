#pragma once
/// The links of a rank, and which of them each node has. docs/cohesion.md.

#include "core/error.hpp"
#include "element/cohesive_link.hpp"
#include "mesh/tet_mesh.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace sunder::element {

/// A link between a node and what was parted from it.
struct ModelLink {
  LocalIndex plus = -1, minus = -1;  ///< Nodes on the two sides of the crack.
  Vec3 normal = Vec3::Zero();        ///< Of the crack in the material: unit, from `minus` to `plus`.
  CohesiveLink link;
  bool holds = true;  ///< Are its nodes of one fragment, as fragments know? false: it has broken.
};

/// Links in the order in which their forces are added: ascending by the ids of their nodes, positive side first. Those
/// that were added or got another node stand elsewhere until sort(). Those of a node are found without a look at
/// others. Local, all of it.
class Links {
public:
  bool empty() const noexcept { return links_.empty(); }
  std::size_t size() const noexcept { return links_.size(); }
  const ModelLink& operator[](std::size_t k) const { return links_[k]; }
  auto begin() const noexcept { return links_.begin(); }
  auto end() const noexcept { return links_.end(); }

  /// Positions of the links of node n, ascending.
  std::vector<std::size_t> of(LocalIndex n) const;
  /// How link k holds; which nodes it holds is not to be changed through it.
  CohesiveLink& state(std::size_t k) { return links_[k].link; }

  /// Link k has broken.
  void loosen(std::size_t k) { links_[k].holds = false; }

  void add(const ModelLink& link);  ///< At the end.
  /// Link k, which node n has, goes to another node. Its position stays.
  void give_to(LocalIndex other, LocalIndex n, std::size_t k);
  /// All must be in order. The predicate is called once for each, in order. One pass over links and nodes.
  template <class Predicate>
  void erase_if(Predicate&& predicate)
  {
    SUNDER_ASSERT(in_order());
    num_in_order_ -= std::erase_if(links_, predicate);
    if (num_in_order_ < next_.size()) make_index();
  }
  /// Puts in order what is not: one pass over links and nodes, none if all are.
  void sort(const mesh::TetMesh& mesh);

private:
  enum Side : std::size_t { plus, minus };
  static constexpr LocalIndex none = -1;

  LocalIndex& first_of(LocalIndex n) { return first_[static_cast<std::size_t>(n)]; }
  LocalIndex node(std::size_t k, Side side) const { return side == plus ? links_[k].plus : links_[k].minus; }
  Side side_of(LocalIndex n, std::size_t k) const { return links_[k].plus == n ? plus : minus; }
  bool in_order() const { return num_in_order_ == links_.size() && moved_.empty(); }
  void join(std::size_t k, Side side);
  void leave(std::size_t k, Side side);
  void make_index();

  std::vector<ModelLink> links_;
  std::size_t num_in_order_ = 0;    // links from here on were added
  std::vector<std::size_t> moved_;  // of those before, the ones that got another node
  // Links of a node hang together in a chain, in no order.
  std::vector<LocalIndex> first_;                // (nodes up to the last with a link)
  std::vector<std::array<LocalIndex, 2>> next_;  // (links) in the chains of their nodes
};

}  // namespace sunder::element
