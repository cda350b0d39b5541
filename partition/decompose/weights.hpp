#pragma once
/// Weights of nodes for the partitioners.

#include "core/types.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace sunder::partition {

/// Local. Work of nodes [first, first + rows): the number of elements that will be around each. levels: (tets) how
/// often each is divided into eight; empty: none is.
std::vector<double> node_weights(std::span<const std::array<GlobalIndex, 4>> tets, GlobalIndex first, std::size_t rows,
                                 std::span<const std::uint8_t> levels);

/// Local. The unit of weight. In it the work of all nodes of all ranks adds up to at most 2^30, so that partitioners
/// with 32-bit integers can sum it and round up. With less than 4 million nodes a mean node weighs 256.
double weight_unit(double total_weight, GlobalIndex all_nodes);

/// Local. Work in whole units, at least 1 a node. What rounding takes from a node is added to the next, and what it
/// adds is taken from the next. So any run of nodes that each weigh at least 1 has the right weight within one unit,
/// however coarse the unit is. (At 10^8 nodes a mean node weighs ten.)
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
