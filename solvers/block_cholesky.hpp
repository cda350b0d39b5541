#pragma once
/// A direct solver for sparse symmetric matrices of small blocks. Local: each rank factors the same matrix to the same
/// bits, with loops whose order is fixed.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sunder::solvers {

template <std::size_t size>
using SquareBlock = std::array<double, size * size>;  ///< Row-major.

/// A block of a symmetric matrix: row >= column.
struct BlockPosition {
  std::int32_t row = 0, column = 0;
  auto operator<=>(const BlockPosition&) const = default;
};

/// L L^T = A by columns of blocks, each subtracted from those to its right as soon as it is done. Blocks of 3 x 3 and
/// of 6 x 6.
template <std::size_t size>
class BlockCholesky {
public:
  using Block = SquareBlock<size>;

  BlockCholesky() = default;

  /// @param order    a permutation of the rows: which is eliminated first, second, ...
  /// @param pattern  the blocks on and below the diagonal that are not zero, each once, the diagonal ones among them
  BlockCholesky(std::span<const std::int32_t> order, std::vector<BlockPosition> pattern);

  /// A pivot that is not positive, or lost to round-off.
  struct BadPivot {
    std::int32_t row = 0;      ///< Of blocks.
    double relative_size = 0;  ///< Over the diagonal entry it began as.
  };

  /// @param values  (pattern)
  /// @return  the first pivot below 1e-13 of its diagonal entry; then solve() must not be called
  std::optional<BadPivot> factor(std::span<const Block> values);

  /// x = A^-1 x, (size rows)
  void solve(std::span<double> x) const;

  std::size_t bytes() const noexcept;  ///< Of the factor.

private:
  void find_pattern();
  void scatter(std::span<const Block> values);
  void subtract_outer_product(std::size_t column);

  std::vector<std::int32_t> place_;     // (rows) when each is eliminated
  std::vector<std::int32_t> order_;     // (rows) inverse of place_
  std::vector<BlockPosition> pattern_;  // of A
  std::vector<std::size_t> begin_;      // (columns + 1) in rows_ and blocks_
  std::vector<std::int32_t> rows_;      // places, ascending within a column, from the diagonal down
  std::vector<Block> blocks_;
};

}  // namespace sunder::solvers
