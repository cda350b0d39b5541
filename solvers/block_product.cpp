#include "solvers/block_product.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::solvers {

void multiply(const BlockMatrix& A, std::span<const double> x, std::span<double> y)
{
  const std::size_t num_rows = A.row_begin.size() - 1;
  for (std::size_t row = 0; row < num_rows; ++row) std::ranges::copy(multiply_row(A, row, x.data()), &y[3 * row]);
}

void magnitudes(const BlockMatrix& A, std::span<const double> b, std::span<const double> x, std::span<double> sizes)
{
  for (std::size_t row = 0; row < b.size() / 3; ++row)
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = std::abs(b[3 * row + i]);
      for (auto k = static_cast<std::size_t>(A.row_begin[row]); k < static_cast<std::size_t>(A.row_begin[row + 1]); ++k)
        for (std::size_t j = 0; j < 3; ++j)
          sum += std::abs(A.values[k][3 * i + j] * x[3 * static_cast<std::size_t>(A.columns[k]) + j]);
      sizes[3 * row + i] = sum;
    }
}

}  // namespace sunder::solvers
