#pragma once
/// What the nodes of a mesh weigh where it is cut.

#include "core/types.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace sunder::partition {

/// Local. Of nodes [first, first + rows): the elements around each, once they are divided into eight `levels` times
/// (empty: not at all).
std::vector<double> node_weights(std::span<const std::array<GlobalIndex, 4>> tets, GlobalIndex first, std::size_t rows,
                                 std::span<const std::uint8_t> levels);

/// Local. The unit in which the weights of all nodes of all ranks add up to at most 2^30, so that partitioners with
/// 32-bit integers can sum it and round up. Fine enough that a mean node weighs 256 where there are less than 4
/// million.
double weight_unit(double total_weight, GlobalIndex all_nodes);

/// Local. Weights in that unit, at least 1 a node. What rounding takes from a node or gives it goes to the next: any
/// stretch of nodes that weigh at least 1 weighs what it should within one unit, however coarse the unit (at 10^8 nodes
/// a mean node weighs ten).
template <class Index>
std::vector<Index> whole_weights(std::span<const double> weights, double unit)
{
  std::vector<Index> whole;
  whole.reserve(weights.size());
  double owed = 0;  // to the nodes so far
  for (const double w : weights) {
    owed += w / unit;
    const auto weight = owed < 1.5 ? Index{1} : static_cast<Index>(owed + 0.5);
    whole.push_back(weight);
    owed = std::max(owed - static_cast<double>(weight), -0.5);  // what the least weight gives too much is nobody's debt
  }
  return whole;
}

}  // namespace sunder::partition
