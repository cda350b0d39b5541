#pragma once
/// Steps along a path of equilibria, past points where loads reach a limit.

#include "solvers/newton.hpp"
#include "solvers/reproducible_minres.hpp"
#include "solvers/reproducible_solver.hpp"

#include <span>
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

/// A step along the path.
struct PathStep {
  double begin = 0;                 ///< t where it begins, at u = 0 [s].
  double most = 0;                  ///< t changes by no more than that in the first guess [s].
  double length = 0;                ///< Of the step, |u| [m]; 0: that of the first guess by `most`.
  std::span<const double> earlier;  ///< u of the step before: on with it, not back. Empty: t grows. (3 num_owned)
};

struct PathResult {
  NewtonResult newton;
  double t = 0;             ///< Where the step ends [s].
  double length = 0;        ///< Of its first guess [m].
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

/// Collective. From u = 0, where the equations hold at t = begin. u becomes the end of the step.
///
/// The first guess goes along the tangent of the path, on the side on which the earlier step went on (the sign of its
/// product with the tangent: Feng, Peric, Owen 1995), which also tells limit points from bifurcations. Corrections stay
/// in the plane across the way from the step's beginning (Ramm 1981), so that u and t are found together, and neither
/// loads nor displacements need to grow. Unlike the sphere of Crisfield (1981) a plane has one solution, and none to
/// choose.
/// @param u  (3 num_owned)
PathResult follow_path(PathEquations& equations, PathSolver& solver, const NewtonOptions& options, const PathStep& step,
                       std::span<double> u);

}  // namespace sunder::solvers
