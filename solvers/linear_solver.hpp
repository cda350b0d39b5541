#pragma once
/// The seam between Newton's method and what solves its linear systems.

#include "solvers/block_matrix.hpp"

#include <string>

namespace sunder::solvers {

struct LinearResult {
  bool converged = false;
  int iterations = 0;
  double residual = 0;  ///< |b - A x| / |b|; above the tolerance if round-off of A x allows no smaller one.
  std::string reason;   ///< In plain words, if it did not converge.
};

/// Solves A x = b with A symmetric positive definite. Collective on the layout's communicator, all of it.
class LinearSolver {
public:
  LinearSolver() = default;
  LinearSolver(const LinearSolver&) = delete;
  LinearSolver& operator=(const LinearSolver&) = delete;
  virtual ~LinearSolver() = default;

  /// Prepares for solves with this matrix, which must outlive them, as must the layout.
  /// @param same_pattern  layout, row_begin, columns and fixed are those of the last call; values may differ
  virtual void set_matrix(const NodeLayout& layout, const BlockMatrix& A, bool same_pattern) = 0;

  /// Until |b - A x| <= tolerance |b|, or the round-off of A x if that is larger, as it may be for slender bodies.
  /// @param b, x  (3 num_owned)
  virtual LinearResult solve(std::span<const double> b, std::span<double> x, double tolerance) = 0;
};

}  // namespace sunder::solvers
