#include "solvers/block_product.hpp"

#include <algorithm>

namespace sunder::solvers {

void multiply(const BlockMatrix& A, std::span<const double> x, std::span<double> y)
{
  const std::size_t num_rows = A.row_begin.size() - 1;
  for (std::size_t row = 0; row < num_rows; ++row) std::ranges::copy(multiply_row(A, row, x.data()), &y[3 * row]);
}

}  // namespace sunder::solvers
