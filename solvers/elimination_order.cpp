#include "solvers/elimination_order.hpp"

#include "core/error.hpp"

#include <metis.h>

#include <algorithm>

namespace sunder::solvers {

std::vector<std::int32_t> elimination_order(std::size_t num_rows, std::span<const BlockPosition> pattern)
{
  if (num_rows == 0) return {};
  std::vector<std::vector<idx_t>> neighbours(num_rows);
  for (const auto& [row, column] : pattern)
    if (row != column) {
      neighbours[static_cast<std::size_t>(row)].push_back(column);
      neighbours[static_cast<std::size_t>(column)].push_back(row);
    }
  std::vector<idx_t> begin{0}, adjacent, order(num_rows), place(num_rows);
  for (std::vector<idx_t>& of_row : neighbours) {
    std::sort(of_row.begin(), of_row.end());
    adjacent.insert(adjacent.end(), of_row.begin(), of_row.end());
    begin.push_back(static_cast<idx_t>(adjacent.size()));
  }
  adjacent.reserve(1);  // METIS wants an address even of nothing
  auto count = static_cast<idx_t>(num_rows);
  const int status = METIS_NodeND(&count, begin.data(), adjacent.data(), nullptr, nullptr, order.data(), place.data());
  if (status != METIS_OK) throw Error("METIS: no memory for an order of elimination", ExitStatus::simulation_failed);
  return {order.begin(), order.end()};
}

}  // namespace sunder::solvers
