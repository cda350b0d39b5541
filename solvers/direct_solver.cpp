#include "solvers/direct_solver.hpp"

#include "solvers/block_product.hpp"

#include <fmt/format.h>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <cmath>

namespace sunder::solvers {
namespace {

constexpr int max_refinements = 4;

std::size_t at(LocalIndex i)
{
  return static_cast<std::size_t>(i);
}

double norm(std::span<const double> a)
{
  double sum = 0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum);
}

std::vector<std::int32_t> minimum_degree_order(std::int32_t rows, std::span<const BlockPosition> pattern)
{
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  for (const auto& [row, column] : pattern) {
    entries.emplace_back(row, column, 1.0);
    if (row != column) entries.emplace_back(column, row, 1.0);
  }
  Eigen::SparseMatrix<double, Eigen::ColMajor, std::int32_t> graph(rows, rows);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, std::int32_t> order;
  Eigen::AMDOrdering<std::int32_t>()(graph.selfadjointView<Eigen::Lower>(), order);
  return {order.indices().begin(), order.indices().end()};
}

}  // namespace

void DirectSolver::set_matrix([[maybe_unused]] const NodeLayout& layout, const BlockMatrix& A, bool same_pattern)
{
  SUNDER_ASSERT(layout.comm.size() == 1);
  A_ = &A;
  if (!same_pattern) find_pattern();
  for (std::size_t k = 0; k < position_.size(); ++k) values_[k] = A.values[position_[k]];
  bad_pivot_ = factor_.factor(values_);
}

void DirectSolver::find_pattern()
{
  const auto& fixed = A_->fixed;
  std::vector<std::int32_t> row_of(fixed.size() / 3, -1);
  nodes_.clear(), position_.clear();
  for (std::size_t n = 0; n < row_of.size(); ++n)
    if (!fixed[3 * n] || !fixed[3 * n + 1] || !fixed[3 * n + 2]) {
      row_of[n] = static_cast<std::int32_t>(nodes_.size());
      nodes_.push_back(static_cast<LocalIndex>(n));
    }
  std::vector<BlockPosition> pattern;
  for (const LocalIndex n : nodes_)
    for (auto k = A_->row_begin[at(n)]; k < A_->row_begin[at(n) + 1]; ++k) {
      const std::int32_t column = row_of[at(A_->columns[static_cast<std::size_t>(k)])];
      if (column < 0 || column > row_of[at(n)]) continue;
      pattern.push_back({row_of[at(n)], column});
      position_.push_back(static_cast<std::size_t>(k));
    }
  values_.resize(position_.size());
  factor_ = BlockCholesky<3>(minimum_degree_order(static_cast<std::int32_t>(nodes_.size()), pattern), pattern);
}

std::vector<double> DirectSolver::of_free_nodes(std::span<const double> a) const
{
  std::vector<double> values;
  for (const LocalIndex n : nodes_) values.insert(values.end(), &a[3 * at(n)], &a[3 * at(n)] + 3);
  return values;
}

LinearResult DirectSolver::solve(std::span<const double> b, std::span<double> x, double tolerance)
{
  LinearResult result;
  std::fill(x.begin(), x.end(), 0);
  if (bad_pivot_) {
    result.reason = fmt::format("the matrix is not positive definite: a pivot of {:.2g} of its diagonal entry",
                                bad_pivot_->relative_size);
    return result;
  }
  std::vector<double> rest = of_free_nodes(b), Ax(b.size());
  const double size = norm(rest);
  while (true) {
    result.residual = size > 0 ? norm(rest) / size : 0;
    result.converged = result.residual <= tolerance;
    if (result.converged || result.iterations == max_refinements) break;
    ++result.iterations;
    factor_.solve(rest);
    for (std::size_t k = 0; k < rest.size(); ++k) x[3 * at(nodes_[k / 3]) + k % 3] += rest[k];
    multiply(*A_, x, Ax);
    for (std::size_t k = 0; k < Ax.size(); ++k) Ax[k] = b[k] - Ax[k];
    rest = of_free_nodes(Ax);
  }
  if (!result.converged) result.reason = "the matrix is singular but for round-off";
  return result;
}

}  // namespace sunder::solvers
