#pragma once
/// Finds the ranks whose boxes meet this rank's, without a list of all ranks anywhere.

#include "core/comm.hpp"
#include "geometry/box.hpp"

#include <span>
#include <vector>

namespace sunder::contact {

/// The boxes of another rank that meet boxes of this rank.
struct RankBoxes {
  Rank rank = 0;
  std::vector<geometry::Box> boxes;
};

/// Collective: one reduction and two sparse exchanges. Returns the ranks whose boxes meet this rank's, ascending, each
/// with exactly those of its boxes, each once and ascending. Symmetric: b is in a's result if and only if a is in b's.
///
/// The method is a rendezvous. A hash of each cell of space (cells.hpp) names a rank, its meeting point. Every rank
/// sends its boxes to the meeting points of their cells; a meeting point tells the senders of boxes that meet of each
/// other. Cells are about as large as the boxes in them. So the messages and memory of a rank depend on the boxes near
/// its own, not on the number of ranks, on the extent of the scene or on the variety of sizes. One case is costly: a
/// box much larger than the others meets everything in its cells. Boxes should be of similar size
/// (geometry::BoxTree::cover()).
std::vector<RankBoxes> rank_rendezvous(const Comm& comm, std::span<const geometry::Box> mine);

}  // namespace sunder::contact
