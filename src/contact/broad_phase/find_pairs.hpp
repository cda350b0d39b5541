#pragma once
/// The search for pairs of elements that may touch during a window of time, across ranks.

#include "contact/broad_phase/pair_list.hpp"
#include "contact/broad_phase/swept_surface.hpp"

namespace sunder::contact {

/// Collective: one reduction and four sparse exchanges. Returns all pairs of elements of the surface that may touch
/// during the window, of which this rank holds one. Only elements of the surface are paired: what enters a body meets
/// them first. Two elements are no pair if they share a node, or if the plane of a face separates them throughout the
/// window.
/// @param swept    the surface of `bodies` in the window
/// @param earlier  null on all ranks or on none: the last list, of the same window. Its pairs of elements that are not
///                 fresh are taken over; only other pairs are looked for
PairList find_pairs(const Comm& comm, const SweptSurface::Bodies& bodies, const SweptSurface& swept,
                    const ListWindow& window, const PairList* earlier = nullptr);

}  // namespace sunder::contact
