#include "solvers/arc_length.hpp"

#include "solvers/exact_dots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sunder::solvers {

void PathSolver::begin()
{
  indefinite_ = definite_knows_ = any_knows_ = false;
}

const BlockMatrix& PathSolver::tangent(Equations& equations, Equations::Tangent kind)
{
  const BlockMatrix& A = equations.tangent(kind);
  if (!equations.same_pattern()) definite_knows_ = any_knows_ = false;
  return A;
}

LinearResult PathSolver::solve(Equations& equations, std::span<const std::vector<double>> b,
                               std::span<std::vector<double>> x, double tolerance)
{
  LinearResult result;
  if (!indefinite_) {
    const BlockMatrix& A = tangent(equations, Equations::Tangent::symmetric);
    definite_.set_matrix(equations.layout(), A, std::exchange(definite_knows_, true));
    for (std::size_t k = 0; k < b.size(); ++k) {
      const LinearResult one = definite_.solve(b[k], x[k], tolerance);
      result.iterations += one.iterations, result.converged = one.converged;
      if (!one.converged) break;
    }
    if (result.converged) return result;
    indefinite_ = true;
  }
  any_.set_definite(equations.layout(), tangent(equations, Equations::Tangent::positive_definite),
                    std::exchange(any_knows_, true));
  const BlockMatrix& A = tangent(equations, Equations::Tangent::symmetric);
  for (std::size_t k = 0; k < b.size(); ++k) {
    const LinearResult one = any_.solve(A, b[k], x[k], tolerance);
    const int iterations = result.iterations + one.iterations;
    result = one, result.iterations = iterations;
    if (!one.converged) break;
  }
  return result;
}

namespace {

/// The way from the beginning of the step, and the two directions that corrections are made of.
class Path {
public:
  Path(PathEquations& equations, PathSolver& solver, const NewtonOptions& options, const PathStep& step,
       std::span<double> u)
    : equations_(equations), solver_(solver), options_(options), step_(step), u_(u), b_(2), d_(2)
  {
    for (std::vector<double>& v : b_) v.resize(u.size());
    for (std::vector<double>& v : d_) v.resize(u.size());
  }

  PathResult run()
  {
    solver_.begin();
    result_.t = step_.begin;
    std::fill(u_.begin(), u_.end(), 0);
    bool may_go_on = look() && guess();
    while (may_go_on && look() && !converged_) may_go_on = correct();
    result_.newton.converged = converged_;
    result_.indefinite = solver_.indefinite();
    return result_;
  }

private:
  std::vector<double>& residual() { return b_[0]; }
  std::vector<double>& by_loads() { return b_[1]; }

  double dot(std::span<const double> a, std::span<const double> b) const
  {
    return exact_dots(equations_.layout().comm, {{a, b}})[0];
  }

  bool fails(std::string reason, bool inadmissible = false)
  {
    result_.newton.reason = std::move(reason), result_.newton.inadmissible = inadmissible;
    return false;
  }

  /// The residual at u and t.
  bool look()
  {
    equations_.prescribe(result_.t, u_);
    if (!equations_.residual(u_, residual())) return fails("an element is turned inside out", true);
    const double size = std::sqrt(dot(residual(), residual())), scale = equations_.force_scale();
    std::vector<double>& residuals = result_.newton.residuals;
    residuals.push_back(size == 0 ? 0 : size / scale);
    if (!std::isfinite(residuals.back())) return fails("the residual is not a number");
    converged_ = guessed_ && size <= options_.tolerance * scale + equations_.round_off();
    if (!converged_ && std::ssize(residuals) > options_.max_iterations + 1)
      return fails(fmt::format("no convergence in {} iterations", options_.max_iterations));
    return true;
  }

  /// d_: what answers to the residual, and to loads and prescribed motions that go on by a second. The latter change
  /// the residual by what a little more of them does; of fixed unknowns it is how far they go.
  bool find_directions()
  {
    const double little = 1e-4 * step_.most;
    std::vector<double> moved(u_.begin(), u_.end());
    equations_.prescribe(result_.t + little, moved);
    const bool admissible = equations_.residual(moved, by_loads());
    std::vector<double> here(u_.begin(), u_.end());
    equations_.prescribe(result_.t, here);
    if (!admissible || !equations_.residual(here, residual())) return fails("an element is turned inside out", true);
    for (std::size_t k = 0; k < u_.size(); ++k) by_loads()[k] = (by_loads()[k] - residual()[k]) / little;
    const double relative = result_.newton.residuals.back();
    const double tolerance = std::clamp(relative, 1e-2 * options_.tolerance, options_.linear_tolerance);
    const LinearResult linear = guessed_ ? solver_.solve(equations_, b_, d_, tolerance) : solve_for_loads();
    result_.newton.linear_iterations += linear.iterations;
    for (std::size_t k = 0; k < u_.size(); ++k)
      if (equations_.fixed()[k]) d_[0][k] = 0, d_[1][k] = (moved[k] - here[k]) / little;
    return linear.converged ||
           fails(fmt::format("linear solve: {} after {} iterations", linear.reason, linear.iterations));
  }

  /// The first guess needs no more. It is the better the more exactly it is along the path.
  LinearResult solve_for_loads()
  {
    constexpr double tolerance = 1e-6;
    return solver_.solve(equations_, std::span(b_).last(1), std::span(d_).last(1), tolerance);
  }

  bool guess()
  {
    if (!find_directions()) return false;
    guessed_ = true;
    const double speed = std::sqrt(dot(d_[1], d_[1]));
    double change = speed > 0 && step_.length > 0 ? std::min(step_.length / speed, step_.most) : step_.most;
    if (!step_.earlier.empty() && dot(step_.earlier, d_[1]) < 0) change = -change;
    result_.length = std::abs(change) * speed;
    return advance(0, change);
  }

  bool correct()
  {
    if (!find_directions()) return false;
    const auto [by_residual, by_load] = exact_dots(equations_.layout().comm, {{u_, d_[0]}, {u_, d_[1]}});
    const double change = by_load != 0 ? -by_residual / by_load : 0;
    if (!std::isfinite(change)) return fails("the path has no direction");
    return advance(1, change);
  }

  bool advance(double share, double change)
  {
    for (std::size_t k = 0; k < u_.size(); ++k) u_[k] += share * d_[0][k] + change * d_[1][k];
    result_.t += change;
    return true;
  }

  PathEquations& equations_;
  PathSolver& solver_;
  const NewtonOptions& options_;
  const PathStep& step_;
  std::span<double> u_;
  std::vector<std::vector<double>> b_, d_;
  bool converged_ = false, guessed_ = false;
  PathResult result_;
};

}  // namespace

PathResult follow_path(PathEquations& equations, PathSolver& solver, const NewtonOptions& options, const PathStep& step,
                       std::span<double> u)
{
  return Path(equations, solver, options, step, u).run();
}

}  // namespace sunder::solvers
