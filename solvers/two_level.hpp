#pragma once
/// A preconditioner of two levels that knows no partition.

#include "solvers/chebyshev.hpp"
#include "solvers/rigid_coarse_space.hpp"

#include <optional>
#include <string>

namespace sunder::solvers {

struct TwoLevelOptions {
  int degree = 3;                    ///< Of the polynomial: products with the inverse of the diagonal blocks.
  double ratio = 10;                 ///< Of the largest eigenvalue to the smallest that the polynomial is made for.
  double cells_per_root = 1.2;       ///< Cells of the coarse space, over the square root of the number of unknowns.
  std::int64_t nodes_per_cell = 16;  ///< No cell with fewer is cut.
};

/// M = S + Q (I - A S) with Q = Z (Z^T A Z)^-1 Z^T: a polynomial S does what it can, and what is left of the rigid
/// motions of cells Z is solved for exactly. Conjugate gradients that begin at Q b have residuals with Z^T r = 0. Among
/// those M is P S P^T with P = I - Q A: symmetric, and positive definite as are Z^T A Z and S. The one solve with Z^T A
/// Z also takes back what round-off brings into Z^T r (A-DEF2 of Tang, Nabben, Vuik, Erlangga 2009).
class TwoLevelPreconditioner {
public:
  explicit TwoLevelPreconditioner(const TwoLevelOptions& options = {})
    : options_(options), polynomial_(options.degree, options.ratio)
  {
  }

  /// Collective. As LinearSolver::set_matrix().
  /// @return  why there is no preconditioner, in plain words; the same on all ranks. Then apply() must not be called.
  std::optional<std::string> set_matrix(const NodeLayout& layout, const BlockMatrix& A, bool same_pattern);

  /// Collective. x = Q b, where conjugate gradients have to begin; b, x: (3 num_owned)
  void start(std::span<const double> b, std::span<double> x);

  /// Collective. z = M r; r, z: (3 num_owned)
  void apply(std::span<const double> r, std::span<double> z);

  /// Collective. z = (Q + (I - Q A) S (I - A Q)) r: symmetric and positive definite wherever it is used, at the cost of
  /// another solve with Z^T A Z and another product with A. r, z: (3 num_owned)
  void apply_symmetric(std::span<const double> r, std::span<double> z);

  const RigidCoarseSpace& coarse_space() const noexcept { return coarse_; }
  const NodeBlockChebyshev& polynomial() const noexcept { return polynomial_; }

private:
  void apply_to_rest(std::span<const double> rest, std::span<const double> r, std::span<double> z);

  TwoLevelOptions options_;
  NodeBlockChebyshev polynomial_;
  RigidCoarseSpace coarse_;
  const NodeLayout* layout_ = nullptr;
  const BlockMatrix* A_ = nullptr;
  std::vector<double> motions_;     // (6 cells)
  std::vector<double> all_, rest_;  // (3 nodes), (3 num_owned) of apply_symmetric()
};

}  // namespace sunder::solvers
