#pragma once
/// A direct solver, for systems so small that a factor costs less than iterations.

#include "solvers/block_cholesky.hpp"
#include "solvers/linear_solver.hpp"

#include <optional>

namespace sunder::solvers {

/// Cholesky's method over the nodes that are not fixed, in an order of approximate minimum degree. Every rank gets the
/// whole system, with nodes in the order of their ids, and factors it alike. So the solution has the same bits on any
/// number of ranks, and the system has to be small.
class DirectSolver final : public LinearSolver {
public:
  /// Collective. A matrix that has no factor is remembered: solve() says so.
  void set_matrix(const NodeLayout& layout, const BlockMatrix& A, bool same_pattern) override;

  /// Collective. Fixed nodes get 0. Iterations are solves with the factor: one, and steps of refinement.
  LinearResult solve(std::span<const double> b, std::span<double> x, double tolerance) override;

private:
  void gather_pattern(const NodeLayout& layout);
  void list_arrivals(std::span<const BlockPosition> arrived);
  void gather_values();
  std::vector<double> gathered(std::span<const double> of_owned) const;
  void subtract_product(std::span<const double> x, std::span<double> y) const;

  Comm comm_;
  const BlockMatrix* A_ = nullptr;
  std::vector<LocalIndex> owned_;       // this rank's nodes that are not fixed
  std::vector<std::int64_t> sent_;      // positions in A of the blocks that this rank sends
  std::vector<std::size_t> places_;     // (nodes as they arrive) by id
  std::size_t first_ = 0;               // of owned_ among the nodes as they arrive
  std::vector<BlockPosition> pattern_;  // ascending
  std::vector<std::size_t> arrival_;    // (pattern) among the blocks as they arrive
  std::vector<Block> values_;           // (pattern)
  BlockCholesky<3> factor_;
  std::optional<BlockCholesky<3>::BadPivot> bad_pivot_;
};

}  // namespace sunder::solvers
