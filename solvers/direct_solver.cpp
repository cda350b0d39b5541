#include "solvers/direct_solver.hpp"

#include "core/sort_unique.hpp"
#include "solvers/elimination_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sunder::solvers {
namespace {

constexpr int max_refinements = 3;

double norm(std::span<const double> a)
{
  double sum = 0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum);
}

/// Collective. What all ranks gave, rank after rank.
template <class T>
std::vector<T> of_all_ranks(const Comm& comm, std::span<const T> mine)
{
  const auto bytes = gather_on_all(comm, std::as_bytes(mine));
  std::vector<T> all(bytes.size() / sizeof(T));
  if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

}  // namespace

void DirectSolver::set_matrix(const NodeLayout& layout, const BlockMatrix& A, bool same_pattern)
{
  comm_ = layout.comm, A_ = &A;
  if (!same_pattern) gather_pattern(layout);
  gather_values();
  bad_pivot_ = factor_.factor(values_);
}

void DirectSolver::gather_pattern(const NodeLayout& layout)
{
  const auto free = [this](std::size_t node) {
    const std::uint8_t* const fixed = &A_->fixed[3 * node];
    return !fixed[0] || !fixed[1] || !fixed[2];
  };
  std::vector<NodeId> ids;
  owned_.clear(), sent_.clear();
  for (LocalIndex n = 0; n < layout.num_owned; ++n)
    if (free(at(n))) owned_.push_back(n), ids.push_back(layout.ids[at(n)]);
  first_ = at(comm_.sum_before(std::ssize(owned_)));
  ids = of_all_ranks<NodeId>(comm_, ids);
  const std::vector<NodeId> sorted = sorted_unique(ids);
  const auto place = [&sorted](const NodeId& id) {
    return static_cast<std::int32_t>(std::lower_bound(sorted.begin(), sorted.end(), id) - sorted.begin());
  };
  places_.clear();
  for (const NodeId& id : ids) places_.push_back(at(place(id)));
  std::vector<std::int32_t> local(layout.ids.size(), -1);  // (nodes of the layout) place of a free one
  for (std::size_t n = 0; n < local.size(); ++n)
    if (free(n)) local[n] = place(layout.ids[n]);
  std::vector<BlockPosition> blocks;  // row after row
  for (const LocalIndex n : owned_)
    for (auto k = A_->row_begin[at(n)]; k < A_->row_begin[at(n) + 1]; ++k) {
      const std::int32_t column = local[at(A_->columns[at(k)])];
      if (column >= 0 && column <= local[at(n)]) sent_.push_back(k), blocks.push_back({local[at(n)], column});
    }
  list_arrivals(of_all_ranks<BlockPosition>(comm_, blocks));
  factor_ = BlockCholesky<3>(elimination_order(sorted.size(), pattern_), pattern_);
}

/// Rows arrive whole, from one rank each, their columns ascending: rows are all that is to be put in order.
void DirectSolver::list_arrivals(std::span<const BlockPosition> arrived)
{
  std::vector<std::size_t> begin(places_.size() + 1, arrived.size());  // (rows, by id) among what arrived
  for (std::size_t k = arrived.size(); k-- > 0;) begin[at(arrived[k].row)] = k;
  pattern_.clear(), arrival_.clear();
  for (std::size_t row = 0; row < places_.size(); ++row)
    for (std::size_t k = begin[row]; k < arrived.size() && at(arrived[k].row) == row; ++k)
      pattern_.push_back(arrived[k]), arrival_.push_back(k);
}

void DirectSolver::gather_values()
{
  std::vector<Block> mine;
  for (const std::int64_t k : sent_) mine.push_back(A_->values[at(k)]);
  const std::vector<Block> all = of_all_ranks<Block>(comm_, mine);
  values_.clear();
  for (const std::size_t k : arrival_) values_.push_back(all[k]);
}

/// Collective. (3 num_owned) -> (3 nodes, by id) of nodes that are not fixed
std::vector<double> DirectSolver::gathered(std::span<const double> of_owned) const
{
  std::vector<double> mine;
  for (const LocalIndex n : owned_) mine.insert(mine.end(), &of_owned[3 * at(n)], &of_owned[3 * at(n)] + 3);
  const std::vector<double> arrived = of_all_ranks<double>(comm_, mine);
  std::vector<double> all(arrived.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[3 * places_[k / 3] + k % 3] = arrived[k];
  return all;
}

/// y -= A x, over nodes that are not fixed.
void DirectSolver::subtract_product(std::span<const double> x, std::span<double> y) const
{
  for (std::size_t k = 0; k < pattern_.size(); ++k) {
    const std::size_t row = 3 * at(pattern_[k].row), column = 3 * at(pattern_[k].column);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        y[row + i] -= values_[k][3 * i + j] * x[column + j];
        if (row != column) y[column + j] -= values_[k][3 * i + j] * x[row + i];
      }
  }
}

LinearResult DirectSolver::solve(std::span<const double> b, std::span<double> x, double tolerance)
{
  LinearResult result;
  std::fill(x.begin(), x.end(), 0);
  if (bad_pivot_) {
    result.reason = fmt::format("the matrix is not positive definite: a pivot is {:.2g} of its diagonal entry",
                                bad_pivot_->relative_size);
    return result;
  }
  const std::vector<double> right = gathered(b);
  const double size = norm(right);
  std::vector<double> found(right.size()), rest = right;
  while (true) {
    result.residual = size > 0 ? norm(rest) / size : 0;
    result.converged = result.residual <= tolerance;
    if (result.converged || result.iterations > max_refinements) break;
    ++result.iterations;
    factor_.solve(rest);
    for (std::size_t k = 0; k < found.size(); ++k) found[k] += rest[k];
    rest = right;
    subtract_product(found, rest);
  }
  if (!result.converged) result.reason = "the matrix is singular but for round-off";
  for (std::size_t k = 0; k < owned_.size(); ++k)
    std::copy_n(&found[3 * places_[first_ + k]], 3, &x[3 * at(owned_[k])]);
  return result;
}

}  // namespace sunder::solvers
