#pragma once
/// Newton's method with a line search, for equations whose tangent is a symmetric matrix of 3 x 3 blocks.

#include "solvers/linear_solver.hpp"

#include <span>
#include <string>
#include <vector>

namespace sunder::solvers {

/// r(u) = 0. Collective on the layout's communicator, all of it. Vectors are of owned nodes: (3 num_owned).
class Equations {
public:
  Equations() = default;
  Equations(const Equations&) = delete;
  Equations& operator=(const Equations&) = delete;
  virtual ~Equations() = default;

  virtual const NodeLayout& layout() const = 0;

  /// Forces at u that nothing balances [N]; 0 of fixed unknowns. Returns false, on every rank, if u is not admissible;
  /// r is then undefined.
  virtual bool residual(std::span<const double> u, std::span<double> r) = 0;
  /// Size of the forces that the residual is the sum of, at the u of the last residual() [N]. The same on every rank.
  virtual double force_scale() = 0;
  /// Size of the residual that round-off alone leaves [N]: no smaller one is asked for. The same on every rank.
  virtual double round_off() const = 0;

  enum class Tangent {
    symmetric,         ///< the symmetric part of -dr/du, which is all of it where forces have a potential
    positive_definite  ///< near it, for where that one is not
  };
  /// At the u of the last residual(). Valid until the next call.
  virtual const BlockMatrix& tangent(Tangent kind) = 0;
  /// Does the matrix have the pattern of the one before?
  virtual bool same_pattern() const = 0;
};

struct NewtonOptions {
  double tolerance = 1e-8;         ///< Of the residual, relative to the forces it is the sum of.
  int max_iterations = 25;         ///< At least 1.
  bool single_iteration = false;   ///< One correction, whatever it leaves.
  int max_halvings = 6;            ///< Of one correction, until it is admissible and brings the residual down.
  double linear_tolerance = 1e-3;  ///< Of linear solves far from the solution; tighter near it.
  /// The tangent is kept as long as a correction leaves less than this part of the residual: for solvers that pay more
  /// for a new matrix than for a solve. 0: it never is.
  double keeps_tangent_below = 0;
};

struct NewtonResult {
  bool converged = false;
  bool inadmissible = false;      ///< It ended because no correction was admissible, however short.
  std::vector<double> residuals;  ///< Relative, at the start and after each iteration.
  int linear_iterations = 0;      ///< In all.
  std::string reason;             ///< In plain words, if it did not converge.
};

/// Collective. From u, which becomes the solution, or the last admissible iterate.
///
/// Each correction d is taken whole if that is admissible and either the residual falls, or d . r, which is positive at
/// the start of d, has not become minus half of that or less: then the energy of conservative forces has its minimum
/// along d far behind. If so, d is shortened to the zero of the line through both d . r; if it is not admissible, it is
/// halved. The linear solves become as exact as the residual is small, so that convergence stays quadratic.
NewtonResult newton(Equations& equations, LinearSolver& solver, const NewtonOptions& options, std::span<double> u);

}  // namespace sunder::solvers
