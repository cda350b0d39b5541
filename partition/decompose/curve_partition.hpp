#pragma once
/// Decomposes nodes into parts of equal work along the Hilbert curve, for any number of nodes and ranks.

#include "core/comm.hpp"
#include "partition/decompose/node_rows.hpp"

#include <vector>

namespace sunder::partition {

/// Collective. Returns the owner of each row's node. Every rank gets a node if there are enough. All ranks sort the
/// nodes along the curve together. A rank never has more than its slice of the nodes, nor an array as long as the
/// number of ranks. Costs O(log^2 ranks) exchanges between two ranks; if rows are nearly in order, most of these are 16
/// bytes.
std::vector<Rank> partition_along_curve(const Comm& comm, const NodeRows& rows);

/// A node on its way along the curve.
struct CurveNode {
  std::uint64_t key = 0;    ///< Position along the curve.
  std::int64_t weight = 0;  ///< The weights of all nodes add up to 2^60.
  Rank home = 0;            ///< The rank that has the node as a row, and the row.
  LocalIndex row = 0;
};

/// Collective. Sorts the nodes of all ranks by key, home and row, and returns this rank's slice: `block` nodes on the
/// first ranks, fewer or none on the last. Each rank may bring `block` nodes at most; `block` is the same on every
/// rank. Merge exchange (Batcher 1968; Knuth vol. 3, 5.2.2 M): instead of comparing two keys, two ranks merge their
/// sorted blocks and split the result.
std::vector<CurveNode> sorted_over_ranks(const Comm& comm, std::vector<CurveNode> nodes, std::size_t block);

}  // namespace sunder::partition
