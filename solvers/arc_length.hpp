#pragma once
/// Steps along a path of equilibria, past points where loads reach a limit.

#include "solvers/path_iteration.hpp"

#include <span>

namespace sunder::solvers {

/// A step along the path.
struct PathStep {
  double begin = 0;                 ///< t where it begins, at u = 0 [s].
  double most = 0;                  ///< t changes by no more than that in the first guess [s].
  double length = 0;                ///< Of the step, |u| [m]; 0: that of the first guess by `most`.
  std::span<const double> earlier;  ///< u of the step before: on with it, not back. Empty: t grows. (3 num_owned)
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
