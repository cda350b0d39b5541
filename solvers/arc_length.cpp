#include "solvers/arc_length.hpp"

#include "solvers/exact_dots.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::solvers {
namespace {

class ArcLength : PathIteration {
public:
  ArcLength(PathEquations& equations, PathSolver& solver, const NewtonOptions& options, const PathStep& step,
            std::span<double> u)
    : PathIteration(equations, solver, options, step.begin, 1e-4 * step.most, u), step_(step)
  {
  }

  PathResult run()
  {
    bool may_go_on = evaluate() && count_iteration() && guess() && evaluate() && count_iteration();
    while (may_go_on && !balanced()) may_go_on = correct() && evaluate() && count_iteration();
    result_.newton.converged = may_go_on;
    result_.indefinite = solver_.indefinite();
    return result_;
  }

private:
  bool guess()
  {
    if (!find_answers(false)) return false;
    const double speed = std::sqrt(dot(answer_to_loads(), answer_to_loads()));
    double change = speed > 0 && step_.length > 0 ? std::min(step_.length / speed, step_.most) : step_.most;
    if (!step_.earlier.empty() && dot(step_.earlier, answer_to_loads()) < 0) change = -change;
    result_.length = std::abs(change) * speed;
    advance(0, change);
    return true;
  }

  bool correct()
  {
    if (!find_answers(true)) return false;
    const auto [by_residual, by_load] =
        exact_dots(equations_.layout().comm, {{u_, answer_to_residual()}, {u_, answer_to_loads()}});
    const double change = by_load != 0 ? -by_residual / by_load : 0;
    if (!std::isfinite(change)) return fails("the path has no direction");
    advance(1, change);
    return true;
  }

  const PathStep& step_;
};

}  // namespace

PathResult follow_path(PathEquations& equations, PathSolver& solver, const NewtonOptions& options, const PathStep& step,
                       std::span<double> u)
{
  return ArcLength(equations, solver, options, step, u).run();
}

}  // namespace sunder::solvers
