#include "solvers/dissipation_path.hpp"

#include "solvers/exact_dots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace sunder::solvers {
namespace {

constexpr int most_guesses = 8;        // of what softens
constexpr int most_changes = 24;       // of them, where they do not settle
constexpr int most_halvings = 4;       // of a correction
constexpr double energy_weight = 0.1;  // of the energy's relative error beside the residual's
constexpr double energy_tolerance = 1e-3;

using Rates = DissipatingEquations::Rates;

/// What the first guess takes for the way along which loads change.
enum class Way {
  either,   ///< on which more is dissipated, each time that is asked
  back,     ///< back, whatever is dissipated
  forth,    ///< forth
  turning,  ///< it turns where nothing is dissipated, or where the same links open and close again and again
};

/// Which way loads change, as the guess of what softens changes.
class Direction {
public:
  explicit Direction(Way way) : way_(way), back_(way == Way::back) {}

  int most_looks() const { return way_ == Way::either ? most_guesses : most_changes; }
  /// Takes what is dissipated for a unit change of loads, forth and back.
  void look(const Rates& now)
  {
    const bool first = looks_ == 0, is_turning = way_ == Way::turning;
    if (way_ == Way::either || (is_turning && first)) back_ = now.backward > now.forward;
    one_by_one_ = is_turning ? !first : looks_ >= most_guesses;
    if (is_turning) turn(now);
    rate_ = along(now, back_);
    ++looks_, two_before_ = std::exchange(one_before_, now);
  }
  bool back() const { return back_; }
  double rate() const { return rate_; }            ///< Of the last look.
  bool one_by_one() const { return one_by_one_; }  ///< Let one link at a time change its state?

private:
  static double along(const Rates& rates, bool back) { return back ? rates.backward : rates.forward; }
  void turn(const Rates& now)
  {
    const bool again = now.forward == two_before_.forward && now.backward == two_before_.backward;
    if (along(now, !back_) > 0 && (along(now, back_) == 0 || again)) back_ = !back_, one_by_one_ = !again;
  }

  Way way_;
  bool back_, one_by_one_ = false;
  double rate_ = 0;
  int looks_ = 0;
  Rates one_before_, two_before_;
};

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
    for (const Way way : {Way::either, Way::back, Way::forth, Way::turning})
      if (try_from(way)) break;
    result_.indefinite = solver_.indefinite();
    return result_;
  }

private:
  bool try_from(Way way)
  {
    result_.newton.residuals.clear(), result_.newton.reason.clear(), result_.newton.inadmissible = false;
    std::fill(u_.begin(), u_.end(), 0);
    result_.t = step_.begin;
    bool may_go_on = evaluate() && count_iteration() && guess(way);
    softening_.suppose_nothing();
    may_go_on = may_go_on && look() && count_iteration();
    while (may_go_on && !(balanced() && std::abs(energy_error_) < energy_tolerance))
      may_go_on = correct() && count_iteration();
    return result_.newton.converged = may_go_on;
  }

  bool guess(Way way)
  {
    if (!softening_.suppose_softening()) return fails("nothing is about to soften");
    Direction direction(way);
    for (int k = 0; k < direction.most_looks(); ++k) {
      if (!find_answers(false)) return false;
      if (!(dot(answer_to_loads(), answer_to_loads()) > 0))
        return fails("loads and prescribed motions stay what they are: let them grow for a longer time");
      direction.look(softening_.dissipation_rates(answer_to_loads()));
      if (!(direction.rate() > 0)) return fails("nothing is dissipated, however loads change");
      if (!softening_.suppose_opening(answer_to_loads(), direction.back(), direction.one_by_one())) break;
    }
    const double change = std::min(step_.energy / direction.rate(), step_.most);
    energy_ = direction.rate() * change;
    advance(0, direction.back() ? -change : change);
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
