#pragma once
/// A set of nodes that costs what is put into it.

#include "core/types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::fracture {

/// Keeps its array over the nodes from use to use. Local.
class NodeSet {
public:
  /// Empties the set. Then it has room for so many nodes, which may be fewer than before.
  void start(LocalIndex num_nodes) { clear(), grow(num_nodes); }

  /// The mesh may have got nodes since.
  void grow(LocalIndex num_nodes) { contained_.resize(static_cast<std::size_t>(num_nodes), 0); }

  bool contains(LocalIndex n) const { return contained_[static_cast<std::size_t>(n)] != 0; }

  /// Returns whether n is new to the set.
  bool insert(LocalIndex n)
  {
    std::uint8_t& contained = contained_[static_cast<std::size_t>(n)];
    if (contained != 0) return false;
    contained = 1;
    nodes_.push_back(n);
    return true;
  }

  std::span<const LocalIndex> nodes() const noexcept { return nodes_; }  ///< In the order in which they came.

  /// Costs the nodes contained.
  void clear()
  {
    for (const LocalIndex n : nodes_) contained_[static_cast<std::size_t>(n)] = 0;
    nodes_.clear();
  }

private:
  std::vector<std::uint8_t> contained_;  // (nodes)
  std::vector<LocalIndex> nodes_;
};

}  // namespace sunder::fracture
