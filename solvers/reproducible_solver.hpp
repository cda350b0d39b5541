#pragma once
/// Linear solves with the same bits on any number of ranks.

#include "solvers/linear_solver.hpp"
#include "solvers/two_level.hpp"

namespace sunder::solvers {

/// Conjugate gradients behind the two-level preconditioner. The forms with fewer reductions (Chronopoulos, Gear 1989)
/// come less near to the solution for slender bodies. Solution, iterations and residual depend on the system alone, not
/// on which rank owns which node: rows are computed by their owners, scalar products are exact, and the preconditioner
/// knows no partition.
class ReproducibleSolver : public LinearSolver {
public:
  struct Options {
    TwoLevelOptions preconditioner;
    int max_iterations = 2000;
  };

  ReproducibleSolver() : ReproducibleSolver(Options()) {}
  explicit ReproducibleSolver(const Options& options) : options_(options), preconditioner_(options.preconditioner) {}

  /// Collective. A matrix that cannot be solved with is remembered: solve() says why.
  void set_matrix(const NodeLayout& layout, const BlockMatrix& A, bool same_pattern) override;

  /// Collective. If it does not converge, x is what it came to.
  LinearResult solve(std::span<const double> b, std::span<double> x, double tolerance) override;

  const TwoLevelPreconditioner& preconditioner() const noexcept { return preconditioner_; }

private:
  enum class Verdict { small, limit, indefinite, not_finite };
  Verdict iterate(std::span<double> x, double target, int& iterations);
  static const char* in_words(Verdict verdict);
  double round_off(std::span<const double> b, std::span<const double> x);
  double true_residual(std::span<const double> b, std::span<const double> x);
  void multiply_by_matrix(std::span<const double> x, std::span<double> y);

  Options options_;
  TwoLevelPreconditioner preconditioner_;
  const NodeLayout* layout_ = nullptr;
  const BlockMatrix* A_ = nullptr;
  std::optional<std::string> problem_;  // of the matrix
  std::vector<double> all_;             // (3 nodes)
  std::vector<double> r_, z_, p_, Ap_;  // (3 num_owned)
};

}  // namespace sunder::solvers
