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
  using Lanes [[gnu::vector_size(32)]] = double;  // in wider ones GCC keeps sums in memory where there are none
  Lanes first = {0, 0, 0, 0}, second = first;     // sums of the first eight places
  double last = 0;
  for (auto k = static_cast<std::size_t>(A.row_begin[row]); k < static_cast<std::size_t>(A.row_begin[row + 1]); ++k) {
    const double* const a = A.values[k].data();
    const double* const b = x + 3 * static_cast<std::size_t>(A.columns[k]);
    Lanes entries, more;
    std::memcpy(&entries, a, sizeof(entries)), std::memcpy(&more, a + 4, sizeof(more));
    first += entries * Lanes{b[0], b[1], b[2], b[0]};
    second += more * Lanes{b[1], b[2], b[0], b[1]};
    last += a[8] * b[2];
  }
  return {(first[0] + first[1]) + first[2], (first[3] + second[0]) + second[1], (second[2] + second[3]) + last};
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
