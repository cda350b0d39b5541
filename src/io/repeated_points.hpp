#pragma once
/// Which nodes go into a rank's piece of a frame, and which of them another piece shows already.

#include "core/comm.hpp"
#include "io/frame.hpp"

#include <cstdint>
#include <vector>

namespace sunder::io {

struct PiecePoints {
  std::vector<LocalIndex> nodes;       ///< Corners of the written elements, ascending local index.
  std::vector<std::uint8_t> repeated;  ///< (nodes) 1: another piece has the unmarked copy. Fills vtkGhostType.
};

/// Collective on the ranks that share elements. O(held elements), one small message a neighbour.
///
/// Each node of the mesh is unmarked in exactly one piece, its first in this order: its owner's piece, then the pieces
/// by rank. Usually that is the owner's, and both sides know it without talking: an element is written by the lowest
/// owner among its corners. But an owner all of whose elements around a node are written by lower ranks shows the node
/// nowhere. Only it sees all those elements, so it tells the lowest of their writers to keep its copy unmarked.
///
///   example   owners of nodes a b c d: 2 1 0 0; one element abcd, so rank 0 writes it.
///             Rank 2 owns a, writes nothing around it, and tells rank 0: "a is yours". Rank 1 tells it the same of b.
PiecePoints piece_points(const Comm& comm, const Frame& frame);

}  // namespace sunder::io
