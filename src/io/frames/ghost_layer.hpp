#pragma once
/// Copies of the elements around a piece, so that filters see no wall where one file of a frame ends and another
/// begins.

#include "io/frames/piece.hpp"

namespace sunder::io {

/// Collective on the ranks that share elements; one message a neighbour. Elements that others write and that share a
/// node with this rank's: at least all those that share a face with an element it writes. All are marked as ghosts.
///
/// A rank holds all elements around its own nodes, so it lacks a neighbour across a face only if it owns none of the
/// face's nodes. The lowest owner of the face's nodes holds both elements, and knows: it sends the neighbour.
///
///   example   owners of nodes a b c d e: 0 1 1 1 2; elements abcd and bcde share the face bcd. Rank 0 writes abcd and
///             does not hold bcde. Rank 1 owns b, holds both, and sends bcde to rank 0.
Piece ghost_layer(const Comm& comm, const Frame& frame);

}  // namespace sunder::io
