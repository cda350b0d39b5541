#pragma once
/// The answer on one rank, as plainly as can be.

#include "core/types.hpp"

#include <map>
#include <span>
#include <utility>

namespace sunder::test {

using Edges = std::vector<std::pair<NodeId, NodeId>>;

/// The smallest vertex of the component of each.
inline std::map<NodeId, NodeId> least_by_union_find(std::span<const NodeId> vertices, const Edges& edges)
{
  std::map<NodeId, NodeId> up;
  const auto find = [&up](NodeId v) {
    up.try_emplace(v, v);
    while (up.at(v) != v) v = up.at(v) = up.at(up.at(v));
    return v;
  };
  for (const NodeId v : vertices) find(v);
  for (const auto& [a, b] : edges) {
    const NodeId x = find(a), y = find(b);
    up[std::max(x, y)] = std::min(x, y);
  }
  std::map<NodeId, NodeId> least;
  for (const auto& [v, ignored] : up) least[v] = find(v);
  return least;
}

}  // namespace sunder::test
