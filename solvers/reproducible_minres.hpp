#pragma once
/// Linear solves with symmetric matrices that need not be definite, with the same bits on any number of ranks.

#include "solvers/linear_solver.hpp"
#include "solvers/two_level.hpp"

namespace sunder::solvers {

/// The method of minimal residuals (Paige and Saunders 1975), behind the two-level preconditioner of a matrix that is
/// definite and near. Like ReproducibleSolver it depends on the system alone, not on which rank owns which node.
class ReproducibleMinres {
public:
  struct Options {
    TwoLevelOptions preconditioner;
    int max_iterations = 4000;
  };

  ReproducibleMinres() : ReproducibleMinres(Options()) {}
  explicit ReproducibleMinres(const Options& options) : options_(options), preconditioner_(options.preconditioner) {}
  ReproducibleMinres(const ReproducibleMinres&) = delete;
  ReproducibleMinres& operator=(const ReproducibleMinres&) = delete;

  /// Collective. The preconditioner is made of a copy of this matrix, symmetric and positive definite. The layout must
  /// outlive solves.
  /// @param same_pattern  as of LinearSolver::set_matrix()
  void set_definite(const NodeLayout& layout, const BlockMatrix& definite, bool same_pattern);

  /// Collective. Until |b - A x| <= tolerance |b|, or the round-off of A x if that is larger. A: of the layout and the
  /// pattern of the definite matrix, with the same unknowns fixed. If it does not converge, x is what it came to.
  LinearResult solve(const BlockMatrix& A, std::span<const double> b, std::span<double> x, double tolerance);

private:
  enum class End { small, limit, not_finite, no_preconditioner };
  End iterate(const BlockMatrix& A, std::span<double> x, double least, int& iterations);
  void multiply_by(const BlockMatrix& A, std::span<const double> x, std::span<double> y);
  double dot(std::span<const double> a, std::span<const double> b) const;

  Options options_;
  TwoLevelPreconditioner preconditioner_;
  const NodeLayout* layout_ = nullptr;
  BlockMatrix definite_;
  std::optional<std::string> problem_;                           // of the definite matrix
  std::vector<double> all_;                                      // (3 nodes)
  std::vector<double> r_, v_, v_old_, z_, Az_, w_, w_old_, Mv_;  // (3 num_owned)
};

}  // namespace sunder::solvers
