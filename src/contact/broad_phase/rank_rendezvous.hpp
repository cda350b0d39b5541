#pragma once
/// Which ranks' regions meet, without any rank knowing all the others.

#include "core/comm.hpp"
#include "geometry/box.hpp"

#include <span>
#include <vector>

namespace sunder::contact {

/// Boxes of another rank that meet some of this rank's.
struct RankBoxes {
  Rank rank = 0;
  std::vector<geometry::Box> boxes;
};

/// Collective. Ascending by rank; symmetric: just the boxes that meet, each once, ascending. A rendezvous: each cell of
/// space (cells.hpp) that boxes are in has a rank, drawn by its hash, that is sent these boxes and tells their senders
/// of each other. Cells are as large as the boxes in them, so that neither what is spread over many sizes nor what
/// flies far away crowds any: messages and memory of a rank depend on the boxes near its own, not on the number of
/// ranks or on how far everything reaches. What lies in the cells of a large box is sent there too, though: boxes
/// should be of like size (geometry::BoxTree::cover()). Boxes that hold no point meet nothing.
std::vector<RankBoxes> rank_rendezvous(const Comm& comm, std::span<const geometry::Box> mine);

}  // namespace sunder::contact
