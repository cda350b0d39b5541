#pragma once
/// What hangs together: disjoint sets of 0, 1, ... under union.

#include "core/types.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sunder::mesh {

/// Each set is named by its smallest member, in whatever order pairs were united. R. E. Tarjan and J. van Leeuwen,
/// Worst-case analysis of set union algorithms (1984): path halving. Local.
template <class Index>
class BasicUnionFind {
public:
  /// So many sets of one member each.
  explicit BasicUnionFind(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), Index{0}); }

  /// The smallest member of the set that i is in.
  Index find(Index i)
  {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }
  void unite(Index i, Index j)
  {
    const Index a = find(i), b = find(j);
    parent(std::max(a, b)) = std::min(a, b);
  }

private:
  Index& parent(Index i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<Index> parent_;
};

using UnionFind = BasicUnionFind<LocalIndex>;

}  // namespace sunder::mesh
