#include "solvers/block_cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::solvers {

namespace {

constexpr double lost = 1e-13;  // a pivot this small beside its diagonal entry is round-off

/// A = L, lower triangle.
/// @param start  diagonal before anything was subtracted from it
/// @return  the relative size of a pivot that is too small
template <std::size_t size>
std::optional<double> factor_diagonal(SquareBlock<size>& A, const double* start)
{
  for (std::size_t c = 0; c < size; ++c) {
    double pivot = A[size * c + c];
    for (std::size_t k = 0; k < c; ++k) pivot -= A[size * c + k] * A[size * c + k];
    if (!(pivot > lost * start[c])) return pivot / start[c];
    const double root = std::sqrt(pivot);
    A[size * c + c] = root;
    for (std::size_t r = c + 1; r < size; ++r) {
      double sum = A[size * r + c];
      for (std::size_t k = 0; k < c; ++k) sum -= A[size * r + k] * A[size * c + k];
      A[size * r + c] = sum / root;
    }
  }
  return std::nullopt;
}

/// B = B L^-T
template <std::size_t size>
void divide(SquareBlock<size>& B, const SquareBlock<size>& L)
{
  for (std::size_t r = 0; r < size; ++r)
    for (std::size_t c = 0; c < size; ++c) {
      double sum = B[size * r + c];
      for (std::size_t k = 0; k < c; ++k) sum -= B[size * r + k] * L[size * c + k];
      B[size * r + c] = sum / L[size * c + c];
    }
}

template <std::size_t size>
SquareBlock<size> transposed(const SquareBlock<size>& A)
{
  SquareBlock<size> T;
  for (std::size_t r = 0; r < size; ++r)
    for (std::size_t c = 0; c < size; ++c) T[size * c + r] = A[size * r + c];
  return T;
}

/// C -= A B
template <std::size_t size>
void subtract_product(SquareBlock<size>& C, const SquareBlock<size>& A, const SquareBlock<size>& B)
{
  for (std::size_t r = 0; r < size; ++r) {
    double row[size];
    for (std::size_t c = 0; c < size; ++c) row[c] = C[size * r + c];
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t c = 0; c < size; ++c) row[c] -= A[size * r + k] * B[size * k + c];
    for (std::size_t c = 0; c < size; ++c) C[size * r + c] = row[c];
  }
}

}  // namespace

template <std::size_t size>
BlockCholesky<size>::BlockCholesky(std::span<const std::int32_t> order, std::vector<BlockPosition> pattern)
  : place_(order.size()), order_(order.begin(), order.end()), pattern_(std::move(pattern))
{
  for (std::size_t k = 0; k < order_.size(); ++k)
    place_[static_cast<std::size_t>(order_[k])] = static_cast<std::int32_t>(k);
  find_pattern();
}

/// A column of L has the rows of A's, and those of the columns that first meet it (its children in the elimination
/// tree).
template <std::size_t size>
void BlockCholesky<size>::find_pattern()
{
  std::vector<std::vector<std::int32_t>> columns(place_.size());
  for (const auto& [row, column] : pattern_) {
    const auto [first, last] =
        std::minmax(place_[static_cast<std::size_t>(row)], place_[static_cast<std::size_t>(column)]);
    columns[static_cast<std::size_t>(first)].push_back(last);
  }
  begin_.assign(1, 0);
  rows_.clear();
  for (auto& column : columns) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    rows_.insert(rows_.end(), column.begin(), column.end());
    begin_.push_back(rows_.size());
    if (column.size() > 1) {
      auto& parent = columns[static_cast<std::size_t>(column[1])];
      parent.insert(parent.end(), column.begin() + 1, column.end());
    }
    column = {};
  }
  blocks_.resize(rows_.size());
}

template <std::size_t size>
void BlockCholesky<size>::scatter(std::span<const Block> values)
{
  std::fill(blocks_.begin(), blocks_.end(), Block{});
  for (std::size_t k = 0; k < pattern_.size(); ++k) {
    const std::int32_t row = place_[static_cast<std::size_t>(pattern_[k].row)],
                       column = place_[static_cast<std::size_t>(pattern_[k].column)];
    const auto c = static_cast<std::size_t>(std::min(row, column));
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(begin_[c]),
               last = rows_.begin() + static_cast<std::ptrdiff_t>(begin_[c + 1]);
    const auto at = static_cast<std::size_t>(std::lower_bound(first, last, std::max(row, column)) - rows_.begin());
    blocks_[at] = row >= column ? values[k] : transposed<size>(values[k]);
  }
}

template <std::size_t size>
auto BlockCholesky<size>::factor(std::span<const Block> values) -> std::optional<BadPivot>
{
  scatter(values);
  std::vector<double> start(size * place_.size());
  for (std::size_t c = 0; c < place_.size(); ++c)
    for (std::size_t i = 0; i < size; ++i) start[size * c + i] = blocks_[begin_[c]][size * i + i];
  for (std::size_t c = 0; c < place_.size(); ++c) {
    if (const auto bad = factor_diagonal<size>(blocks_[begin_[c]], start.data() + size * c))
      return BadPivot{order_[c], *bad};
    for (std::size_t k = begin_[c] + 1; k < begin_[c + 1]; ++k) divide<size>(blocks_[k], blocks_[begin_[c]]);
    subtract_outer_product(c);
  }
  return std::nullopt;
}

/// The rows of `column` are among those of each column that it is subtracted from, in the same order.
template <std::size_t size>
void BlockCholesky<size>::subtract_outer_product(std::size_t column)
{
  for (std::size_t k = begin_[column] + 1; k < begin_[column + 1]; ++k) {
    const Block factor = transposed<size>(blocks_[k]);
    std::size_t target = begin_[static_cast<std::size_t>(rows_[k])];
    for (std::size_t i = k; i < begin_[column + 1]; ++i) {
      while (rows_[target] != rows_[i]) ++target;
      subtract_product<size>(blocks_[target], blocks_[i], factor);
    }
  }
}

template <std::size_t size>
void BlockCholesky<size>::solve(std::span<double> x) const
{
  std::vector<double> y(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) y[k] = x[size * static_cast<std::size_t>(order_[k / size]) + k % size];
  for (std::size_t c = 0; c < place_.size(); ++c) {
    const Block& L = blocks_[begin_[c]];
    double* const mine = y.data() + size * c;
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t k = 0; k < r; ++k) mine[r] -= L[size * r + k] * mine[k];
      mine[r] /= L[size * r + r];
    }
    std::array<double, size> x_c;  // a copy: the compiler cannot know that `below` is elsewhere
    std::copy_n(mine, size, x_c.begin());
    for (std::size_t k = begin_[c] + 1; k < begin_[c + 1]; ++k) {
      double* const below = y.data() + size * static_cast<std::size_t>(rows_[k]);
      for (std::size_t r = 0; r < size; ++r) {
        double sum = below[r];
        for (std::size_t i = 0; i < size; ++i) sum -= blocks_[k][size * r + i] * x_c[i];
        below[r] = sum;
      }
    }
  }
  for (std::size_t c = place_.size(); c-- > 0;) {
    const Block& L = blocks_[begin_[c]];
    double* const mine = y.data() + size * c;
    std::array<double, size> x_c;
    std::copy_n(mine, size, x_c.begin());
    for (std::size_t k = begin_[c] + 1; k < begin_[c + 1]; ++k) {
      const double* const below = y.data() + size * static_cast<std::size_t>(rows_[k]);
      for (std::size_t r = 0; r < size; ++r)
        for (std::size_t i = 0; i < size; ++i) x_c[i] -= blocks_[k][size * r + i] * below[r];
    }
    std::copy(x_c.begin(), x_c.end(), mine);
    for (std::size_t r = size; r-- > 0;) {
      for (std::size_t k = r + 1; k < size; ++k) mine[r] -= L[size * k + r] * mine[k];
      mine[r] /= L[size * r + r];
    }
  }
  for (std::size_t k = 0; k < x.size(); ++k) x[size * static_cast<std::size_t>(order_[k / size]) + k % size] = y[k];
}

template <std::size_t size>
std::size_t BlockCholesky<size>::bytes() const noexcept
{
  return blocks_.size() * sizeof(Block) + rows_.size() * sizeof(std::int32_t);
}

template class BlockCholesky<3>;
template class BlockCholesky<6>;

}  // namespace sunder::solvers
