#pragma once
/// What all steps along a path of equilibria share: the equations, their linear solves, the residual and what answers
/// to it.

#include "solvers/newton.hpp"
#include "solvers/reproducible_minres.hpp"
#include "solvers/reproducible_solver.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace sunder::solvers {

/// r(u, t) = 0, where t is the time of loads and prescribed motions. Collective, all of it.
class PathEquations : public Equations {
public:
  /// Loads are those of t from here on; the fixed unknowns of u become what is prescribed then.
  virtual void prescribe(double t, std::span<double> u) = 0;
  /// Local. Which unknowns are: (3 num_owned), not 0.
  virtual std::span<const std::uint8_t> fixed() const = 0;
};

struct PathResult {
  NewtonResult newton;
  double t = 0;             ///< Where the step ends [s].
  double length = 0;        ///< Of its first guess by arc length [m].
  bool indefinite = false;  ///< A tangent in it was not positive definite.
};

/// Solves with tangents that may be indefinite: by conjugate gradients as long as these find no direction of negative
/// curvature, by minimal residuals with the preconditioner of the definite tangent from there on, until begin().
class PathSolver {
public:
  void begin();  ///< Local. A step begins; nothing is known of the pattern.
  /// Collective. Of the tangent at the u of the last residual(): for each right-hand side a solution.
  /// @return  the last result; not converged, with the reason, where one did not
  LinearResult solve(Equations& equations, std::span<const std::vector<double>> b, std::span<std::vector<double>> x,
                     double tolerance);
  bool indefinite() const noexcept { return indefinite_; }  ///< Local. Since begin().

private:
  const BlockMatrix& tangent(Equations& equations, Equations::Tangent kind);

  ReproducibleSolver definite_;
  ReproducibleMinres any_;
  bool indefinite_ = false, definite_knows_ = false, any_knows_ = false;  // the latter two: the present pattern
};

/// Newton's method for u and t. Which t is the right one is for those who derive from it to say.
class PathIteration {
public:
  /// All must outlive it.
  /// @param begin   t where the step begins, at u = 0
  /// @param little  change of t by which the change of the residual is found [s]
  PathIteration(PathEquations& equations, PathSolver& solver, const NewtonOptions& options, double begin, double little,
                std::span<double> u);

protected:
  std::vector<double>& residual() { return b_[0]; }
  std::vector<double>& by_loads() { return b_[1]; }
  const std::vector<double>& answer_to_residual() const { return d_[0]; }
  const std::vector<double>& answer_to_loads() const { return d_[1]; }

  double dot(std::span<const double> a, std::span<const double> b) const;
  bool fails(std::string reason, bool inadmissible = false);  ///< Local. Returns false.

  /// Collective. The residual at u and t, and its size beside the forces it is the sum of.
  bool evaluate();
  /// Local. After evaluate(): is the residual as small as is asked for?
  bool balanced() const;
  /// Local. Notes the residual as that of an iteration. Returns false if these were too many, or it is not a number.
  bool count_iteration();
  /// Collective. What answers to loads and prescribed motions that go on by a second, and with `both` to the residual.
  /// The former change the residual by what a little more of them does; of fixed unknowns it is how far they go.
  bool find_answers(bool both);
  /// Local.
  void advance(double share, double change);

  PathEquations& equations_;
  PathSolver& solver_;
  const NewtonOptions& options_;
  std::span<double> u_;
  PathResult result_;
  double size_ = 0, scale_ = 0;  // of the last residual

private:
  LinearResult solve_for_loads();

  const double little_;
  std::vector<std::vector<double>> b_, d_;
};

}  // namespace sunder::solvers
