#pragma once
/// The bonds' forces: the minimum-norm solution of J W J^T lambda = b.

#include "lattice/bond_operator.hpp"

#include <cstdint>
#include <span>

namespace sunder::lattice {

struct SolveOptions {
  double tolerance = 1e-10;             ///< |J W J^T lambda - b| as a share of what it is measured by.
  std::int64_t max_iterations = 20000;  ///< > 0
};

struct SolveResult {
  std::int64_t iterations = 0;
  double residual = 0;     ///< As tolerance.
  bool converged = false;  ///< If not, b may lie outside the range of J W J^T, where there is no solution.
};

/// Collective on comm. Conjugate gradients without a preconditioner, which would change what norm is least: two
/// reductions an iteration, of exact scalar products, hence the same bits on any number of ranks. From a start in the
/// range of J every iterate is, and a solution in the range of J is the one of minimum norm.
/// Such a start is 0, or the solution of another load on the same bonds or on more of them: J dp, less the rows of
/// bonds that have broken since, is J dp for the J that is left.
/// @param scale   what the residual is measured by, >= 0: |b|, or more where b may vanish but for round-off; 0 means
///                that nothing acts: lambda becomes 0
/// @param b       (owned) 0 for broken bonds
/// @param lambda  (local) the start, 0 for broken bonds; on return the solution, ghosts included
SolveResult minimum_norm_solution(const Comm& comm, const BondOperator& op, std::span<const double> b, double scale,
                                  std::span<double> lambda, const SolveOptions& options);

}  // namespace sunder::lattice
