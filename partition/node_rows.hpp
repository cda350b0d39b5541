#pragma once
/// The nodes that ranks cut into parts together.

#include "core/types.hpp"

#include <functional>
#include <vector>

namespace sunder::partition {

/// A rank's nodes: rows [first, first + weights.size()) of all, in the order of ranks.
struct NodeRows {
  GlobalIndex first = 0;
  std::vector<double> weights;  ///< Work, in any unit that all ranks share.
  /// Appends the corners (rows) of the elements around a row's node, itself and repeated ones included. Gives the same
  /// each time.
  std::function<void(std::size_t row, std::vector<GlobalIndex>& out)> corners;
  /// Where the row's node is [m]. Empty on all ranks: the rows follow the Hilbert curve as they are.
  std::function<Vec3(std::size_t row)> position;
};

}  // namespace sunder::partition
