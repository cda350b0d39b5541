#pragma once
/// A polynomial in the matrix that damps the stiff part of an error, the same on any number of ranks.

#include "solvers/block_matrix.hpp"

#include <optional>
#include <string>

namespace sunder::solvers {

/// S = p(D^-1 A) D^-1, where D are the 3 x 3 diagonal blocks of A and p is the Chebyshev polynomial for the eigenvalues
/// of D^-1 A in [b / ratio, b]. b is 1.1 times the largest eigenvalue of ten steps of Lanczos' method, which begins
/// with a vector hashed from the ids of nodes. S is symmetric, and positive definite as long as no eigenvalue passes b
/// + b / ratio. It knows no partition: each row is computed alone, by its owner.
class NodeBlockChebyshev {
public:
  /// @param degree  products with D^-1; one less with A
  NodeBlockChebyshev(int degree, double ratio) : degree_(degree), ratio_(ratio) {}

  /// Collective. Layout and matrix must outlive the calls of apply().
  /// @return  what is wrong with the matrix, in plain words; the same on all ranks
  std::optional<std::string> set_matrix(const NodeLayout& layout, const BlockMatrix& A);

  /// Collective: an exchange with neighbours for each product with A. z = S r; r, z: (3 num_owned)
  void apply(std::span<const double> r, std::span<double> z);

  double largest_eigenvalue() const noexcept { return largest_; }  ///< The estimate, without the margin.

private:
  std::optional<std::string> invert_diagonal();
  std::optional<std::string> estimate_largest_eigenvalue();
  void multiply_by_inverse(std::span<const double> r, std::span<double> z) const;
  /// One row of the recurrence: rest -= A direction, next = from_last direction + from_rest D^-1 rest, z += next.
  void advance(double from_last, double from_rest, std::span<double> z);

  int degree_;
  double ratio_, largest_ = 1;
  const NodeLayout* layout_ = nullptr;
  const BlockMatrix* A_ = nullptr;
  std::vector<Block> inverse_;                   // (num_owned) of the diagonal blocks
  std::vector<double> rest_, direction_, next_;  // (3 num_owned), (3 nodes), (3 nodes)
};

}  // namespace sunder::solvers
