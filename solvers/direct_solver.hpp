#pragma once
/// A direct solver, for systems so small that a factor costs less than iterations.

#include "solvers/block_cholesky.hpp"
#include "solvers/linear_solver.hpp"

#include <optional>

namespace sunder::solvers {

/// Cholesky's method over the nodes that are not fixed, eliminated in an order of approximate minimum degree. Local:
/// the layout is of one rank. The solution depends on the system alone.
class DirectSolver final : public LinearSolver {
public:
  /// A matrix that has no factor is remembered: solve() says so.
  void set_matrix(const NodeLayout& layout, const BlockMatrix& A, bool same_pattern) override;

  /// Fixed nodes get 0. Iterations are solves with the factor: one, and steps of refinement.
  LinearResult solve(std::span<const double> b, std::span<double> x, double tolerance) override;

private:
  void find_pattern();
  std::vector<double> of_free_nodes(std::span<const double> a) const;  // (3 nodes) -> (3 nodes_)

  const BlockMatrix* A_ = nullptr;
  std::vector<LocalIndex> nodes_;      // those that are not fixed
  std::vector<std::size_t> position_;  // in the matrix, of each block of the factor's pattern
  std::vector<Block> values_;          // likewise
  BlockCholesky<3> factor_;
  std::optional<BlockCholesky<3>::BadPivot> bad_pivot_;
};

}  // namespace sunder::solvers
