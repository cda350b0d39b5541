#include "solvers/elimination_order.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace sunder::solvers {

std::vector<std::int32_t> elimination_order(std::size_t num_rows, std::span<const BlockPosition> pattern)
{
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  for (const auto& [row, column] : pattern) entries.emplace_back(row, column, 1.0);
  const auto size = static_cast<Eigen::Index>(num_rows);
  Eigen::SparseMatrix<double, Eigen::ColMajor, std::int32_t> graph(size, size);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, std::int32_t> order;
  Eigen::AMDOrdering<std::int32_t>()(graph.selfadjointView<Eigen::Lower>(), order);
  return {order.indices().begin(), order.indices().end()};
}

}  // namespace sunder::solvers
