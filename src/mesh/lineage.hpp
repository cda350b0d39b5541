#pragma once
/// What cutting makes, and what it is called: the one definition, for the mesh that is cut and for who plans ahead.
/// Ids come from those of the parents, so that every rank finds them alone. Local, pure. docs/remeshing.md.

#include "core/hash.hpp"
#include "core/types.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace sunder::mesh {

/// Node put on an edge. None comes twice: an edge is bisected once.
inline NodeId edge_node_id(NodeId a, NodeId b)
{
  return made_id(std::min(a, b), std::max(a, b));
}

/// Copy of node n made by a split; `first_moving` is the smallest id of the elements that get it. None comes twice: an
/// element leaves a node once. Salted, so that a node and an element can never play an edge's two ends.
inline NodeId copy_node_id(NodeId n, ElementId first_moving)
{
  return made_id(n, {mix(first_moving.low ^ 0xc0b1e5), first_moving.high});
}

/// Second child of an element bisected at `edge_node`; the first keeps the element's id.
inline ElementId second_child_id(ElementId element, NodeId edge_node)
{
  return made_id(element, edge_node);
}

/// The children of a bisected element by their corners, local indices or ids. Both are oriented as the element was.
template <class Corner>
struct TetChildren {
  std::array<Corner, 4> first;   ///< Has the end with the smaller id.
  std::array<Corner, 4> second;  ///< Has the other end.
};

/// Of an element whose edge ab, a the end with the smaller id, gets the node m. Empty: the element does not have the
/// edge.
template <class Corner>
std::optional<TetChildren<Corner>> children_of(const std::array<Corner, 4>& corners, Corner a, Corner b, Corner m)
{
  const auto at_a = std::find(corners.begin(), corners.end(), a) - corners.begin();
  const auto at_b = std::find(corners.begin(), corners.end(), b) - corners.begin();
  if (at_a == 4 || at_b == 4) return std::nullopt;
  TetChildren<Corner> children{corners, corners};
  children.first[static_cast<std::size_t>(at_b)] = m;
  children.second[static_cast<std::size_t>(at_a)] = m;
  return children;
}

}  // namespace sunder::mesh
