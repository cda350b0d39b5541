#pragma once
/// A block matrix, or a row of it, times a vector, with the same bits wherever the row is.

#include "solvers/block_matrix.hpp"

#include <array>
#include <cstring>
#include <span>

namespace sunder::solvers {

/// Local. The three entries of A x of one owned node. The products of a place in the blocks are added along the row;
/// then the three places of a row of blocks. So a row's bits depend on nothing else.
/// @param x  (3 nodes), ghosts current
inline std::array<double, 3> multiply_row(const BlockMatrix& A, std::size_t row, const double* x)
{
  using Lanes [[gnu::vector_size(64)]] = double;
  Lanes sums = {0, 0, 0, 0, 0, 0, 0, 0};  // of the first eight places
  double last = 0;
  for (auto k = static_cast<std::size_t>(A.row_begin[row]); k < static_cast<std::size_t>(A.row_begin[row + 1]); ++k) {
    const double* const a = A.values[k].data();
    const double* const b = x + 3 * static_cast<std::size_t>(A.columns[k]);
    Lanes entries;
    std::memcpy(&entries, a, sizeof(entries));
    sums += entries * Lanes{b[0], b[1], b[2], b[0], b[1], b[2], b[0], b[1]};
    last += a[8] * b[2];
  }
  return {(sums[0] + sums[1]) + sums[2], (sums[3] + sums[4]) + sums[5], (sums[6] + sums[7]) + last};
}

/// Local. y = A x, row by row.
/// @param x  (3 nodes), ghosts current    @param y  (3 num_owned)
void multiply(const BlockMatrix& A, std::span<const double> x, std::span<double> y);

/// Local. sizes = |b| + |A| |x|, row by row: what b - A x is the sum of.
/// @param x  (3 nodes), ghosts current    @param b, sizes  (3 num_owned)
void magnitudes(const BlockMatrix& A, std::span<const double> b, std::span<const double> x, std::span<double> sizes);

/// What round-off of its products alone may leave of |b - A x|, over the norm of magnitudes(). Slender bodies come to
/// one or two of these four units.
inline constexpr double product_round_off = 4 * 0x1p-53;

}  // namespace sunder::solvers
