#pragma once
/// The search for pairs of elements that may touch during a window of time, across ranks.

#include "contact/broad_phase/pair_list.hpp"
#include "geometry/box_tree.hpp"

#include <span>
#include <vector>

namespace sunder::contact {

/// A list that still holds but for elements that have changed since.
struct EarlierList {
  const PairList& list;
  std::span<const std::uint8_t> unchanged;  ///< (slots) 1: part of the skin then, and as it was.
};

/// Collective. tree: over the swept boxes of surface.elements(), in their order. moduli: lambda + 2 mu of each
/// material. Pairs are of elements of the skin: whoever enters a body meets them first. Left out are those that share a
/// node (a star never overlaps itself while it is sound) and those a face keeps apart throughout the window. p, v:
/// where and how fast nodes were when the window began. earlier, if there is one, on all ranks: of the same window; its
/// pairs of unchanged elements are taken over, and only others looked for.
PairList find_pairs(const Comm& comm, const mesh::TetMesh& mesh, const Surface& surface, const geometry::BoxTree& tree,
                    std::span<const Row4> p, std::span<const Row4> v, const Window& window,
                    std::span<const double> moduli, const Origins& origins, const EarlierList* earlier = nullptr);

/// Local. Swept boxes of surface.elements().
std::vector<geometry::Box> swept_boxes(const mesh::TetMesh& mesh, const Surface& surface, std::span<const Row4> p,
                                       std::span<const Row4> v, const Window& window);

}  // namespace sunder::contact
