#pragma once
/// The nodes of a mesh that all ranks decompose into parts together. Plain data.

#include "core/types.hpp"

#include <functional>
#include <vector>

namespace sunder::partition {

/// The nodes of one rank: rows [first, first + weights.size()) of all. Ranks follow each other in their order.
struct NodeRows {
  GlobalIndex first = 0;
  std::vector<double> weights;  ///< Work, in any unit that all ranks share.
  /// Appends the corners, as rows, of the elements around a row's node. The node itself and repeated entries are
  /// allowed. Each call must give the same.
  std::function<void(std::size_t row, std::vector<GlobalIndex>& out)> corners;
  /// Position of the row's node [m]. Empty on all ranks: the rows follow the Hilbert curve already.
  std::function<Vec3(std::size_t row)> position;
};

}  // namespace sunder::partition
