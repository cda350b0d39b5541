#pragma once
/// The search for pairs of elements that may touch during a window of time, across ranks.

#include "contact/broad_phase/pair_list.hpp"
#include "geometry/box_tree.hpp"

#include <span>
#include <vector>

namespace sunder::contact {

/// A pair list whose window still lasts. It is still right for elements that have not changed since.
struct EarlierList {
  const PairList& list;
  std::span<const std::uint8_t> unchanged;  ///< (slots) 1: belonged to the surface, and has not changed.
};

/// Collective: one reduction and four sparse exchanges. Returns all pairs of elements of the surface that may touch
/// during the window, of which this rank holds one. Only elements of the surface are paired: what enters a body meets
/// them first. Two elements are no pair if they share a node, or if the plane of a face separates them throughout the
/// window.
/// @param tree     over the swept boxes of surface.elements(), in their order
/// @param p, v     (nodes) position and velocity when the window began [m], [m/s]
/// @param moduli   lambda + 2 mu of each material [Pa]
/// @param origins  of elements made since the last list
/// @param earlier  null on all ranks or on none: a list of the same window. Its pairs of unchanged elements are taken
///                 over; only other pairs are looked for
PairList find_pairs(const Comm& comm, const mesh::TetMesh& mesh, const ContactSurface& surface,
                    const geometry::BoxTree& tree, std::span<const Row4> p, std::span<const Row4> v,
                    const ListWindow& window, std::span<const double> moduli, const Origins& origins,
                    const EarlierList* earlier = nullptr);

/// Local. Boxes around surface.elements() during the window: swept by the linear motion, grown by the skin.
std::vector<geometry::Box> swept_boxes(const mesh::TetMesh& mesh, const ContactSurface& surface,
                                       std::span<const Row4> p, std::span<const Row4> v, const ListWindow& window);

}  // namespace sunder::contact
