#include "partition/decompose/weights.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::partition {

std::vector<double> node_weights(std::span<const std::array<GlobalIndex, 4>> tets, GlobalIndex first, std::size_t rows,
                                 std::span<const std::uint8_t> levels)
{
  std::vector<double> weights(rows, 0);
  for (std::size_t e = 0; e < tets.size(); ++e) {
    const double parts = levels.empty() ? 1 : std::exp2(3 * levels[e]);
    for (const GlobalIndex q : tets[e])
      if (const auto n = static_cast<std::size_t>(q - first); q >= first && n < rows) weights[n] += parts;
  }
  return weights;
}

double weight_unit(double total_weight, GlobalIndex all_nodes)
{
  constexpr double most = 1 << 30, mean = 256;
  return std::max(total_weight, 1e-300) /
         std::min(most, mean * static_cast<double>(std::max<GlobalIndex>(1, all_nodes)));
}

}  // namespace sunder::partition
