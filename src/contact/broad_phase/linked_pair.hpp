#pragma once
/// Pairs of elements that links of a young crack hold together. docs/contact.md.

#include "contact/broad_phase/pair_list.hpp"

#include <bit>
#include <cstdint>
#include <span>

namespace sunder::contact {

/// Local. ListedPair::common_corners of elements of the list.
inline std::uint16_t common_corners(const PairList& list, const ListedElement& a, const ListedElement& b)
{
  const auto X = [&list](int node) { return list.X[static_cast<std::size_t>(node)]; };
  unsigned bits = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) bits |= unsigned{X(a.nodes[i]) == X(b.nodes[j])} << (4 * i + j);
  return static_cast<std::uint16_t>(bits);
}

/// Local. Do links hold the two together where they share a point of the material?
/// @param p  (nodes of the list) w: how much strength the node's links have left, 0 without any
inline bool held_by_links(std::uint16_t common_corners, const ListedElement& a, const ListedElement& b,
                          std::span<const Row4> p)
{
  const auto left = [&p](int node) { return p[static_cast<std::size_t>(node)].w; };
  for (unsigned bits = common_corners; bits != 0; bits &= bits - 1) {
    const auto k = static_cast<std::size_t>(std::countr_zero(bits));
    if (left(a.nodes[k / 4]) > 0 && left(b.nodes[k % 4]) > 0) return true;
  }
  return false;
}

/// Do links hold young cracks together? in_w: p.w of each node is how much strength its links have left, 0 without any.
enum class Links : std::uint8_t { none, in_w };

}  // namespace sunder::contact
