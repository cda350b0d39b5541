#include "solvers/dissipation_path.hpp"

#include "solvers/exact_dots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sunder::solvers {
namespace {

constexpr int most_guesses = 8;        // of what softens
constexpr int most_halvings = 4;       // of a correction
constexpr double energy_weight = 0.1;  // of the energy's relative error beside the residual's
constexpr double energy_tolerance = 1e-3;

class Dissipation : PathIteration {
public:
  Dissipation(DissipatingEquations& equations, PathSolver& solver, const NewtonOptions& options,
              const DissipationStep& step, std::span<double> u)
    : PathIteration(equations, solver, options, step.begin, 1e-4 * step.most, u),
      softening_(equations),
      step_(step),
      slope_(u.size()),
      from_(u.size())
  {
  }

  PathResult run()
  {
    bool may_go_on = evaluate() && count_iteration() && guess();
    softening_.suppose_nothing();
    may_go_on = may_go_on && look() && count_iteration();
    while (may_go_on && !(balanced() && std::abs(energy_error_) < energy_tolerance))
      may_go_on = correct() && count_iteration();
    result_.newton.converged = may_go_on;
    result_.indefinite = solver_.indefinite();
    return result_;
  }

private:
  bool guess()
  {
    if (!softening_.suppose_softening()) return fails("nothing is about to soften");
    bool back = false;
    double rate = 0;
    for (int k = 0; k < most_guesses; ++k) {
      if (!find_answers(false)) return false;
      if (!(dot(answer_to_loads(), answer_to_loads()) > 0))
        return fails("loads and prescribed motions stay what they are: let them grow for a longer time");
      const auto [forward, backward] = softening_.dissipation_rates(answer_to_loads());
      back = backward > forward, rate = std::max(forward, backward);
      if (!(rate > 0)) return fails("nothing is dissipated, however loads change");
      if (!softening_.suppose_opening(answer_to_loads(), back)) break;
    }
    const double change = std::min(step_.energy / rate, step_.most);
    energy_ = rate * change;
    advance(0, back ? -change : change);
    return true;
  }

  /// Residual and energy at u and t.
  bool look()
  {
    if (!evaluate()) return false;
    energy_error_ = softening_.dissipated(slope_) / energy_ - 1;
    return true;
  }

  double error() const { return std::hypot(scale_ > 0 ? size_ / scale_ : 0, energy_weight * energy_error_); }

  bool correct()
  {
    if (!find_answers(true)) return false;
    const auto [by_residual, by_load] =
        exact_dots(equations_.layout().comm, {{slope_, answer_to_residual()}, {slope_, answer_to_loads()}});
    const double change = (-energy_error_ * energy_ - by_residual) / by_load;
    if (!std::isfinite(change)) return fails("nothing softens");
    std::copy(u_.begin(), u_.end(), from_.begin());
    const double t = result_.t, before = error();
    const auto go = [&](double share) {
      std::copy(from_.begin(), from_.end(), u_.begin());
      result_.t = t;
      advance(share, share * change);
      return look();
    };
    double best = 0, least = std::numeric_limits<double>::infinity(), share = 1;
    for (int k = 0; k <= most_halvings; ++k, share /= 2) {
      if (!go(share)) continue;  // an element is turned inside out
      if (error() < before) return true;
      if (error() < least) least = error(), best = share;
    }
    return best > 0 && go(best);
  }

  DissipatingEquations& softening_;
  const DissipationStep& step_;
  std::vector<double> slope_, from_;
  double energy_ = 0;        // to be dissipated [J]
  double energy_error_ = 0;  // relative
};

}  // namespace

PathResult dissipate(DissipatingEquations& equations, PathSolver& solver, const NewtonOptions& options,
                     const DissipationStep& step, std::span<double> u)
{
  return Dissipation(equations, solver, options, step, u).run();
}

}  // namespace sunder::solvers
