#pragma once
/// Which rank owns which node, by equal weight along the Hilbert curve: on any number of nodes and ranks.

#include "core/comm.hpp"
#include "partition/node_rows.hpp"

#include <vector>

namespace sunder::partition {

/// Collective. Owner of each row's node. No rank gets none if there are enough. Nodes are sorted along the curve by all
/// ranks together: a rank never has more than its share of them, nor anything as long as the number of ranks. Costs
/// O(log^2 ranks) exchanges between two ranks, most of them of 16 bytes where rows are nearly in order.
std::vector<Rank> cut_along_curve(const Comm& comm, const NodeRows& rows);

/// A node on its way along the curve.
struct CurveNode {
  std::uint64_t key = 0;    ///< Position along the curve.
  std::int64_t weight = 0;  ///< Of 2^60 for all nodes.
  Rank home = 0;            ///< Rank that asked, and its row.
  LocalIndex row = 0;
};

/// Collective. Of all ranks' nodes, ascending by key, home and row: the same number on each rank but for the last ones,
/// which may have less or none. Each brings at most `block`, the same on all; no rank has more than that before or
/// after. Merge exchange (Batcher 1968; Knuth vol. 3, 5.2.2 M), with merging and splitting of sorted blocks in place of
/// comparing and exchanging keys.
std::vector<CurveNode> sorted_over_ranks(const Comm& comm, std::vector<CurveNode> nodes, std::size_t block);

}  // namespace sunder::partition
