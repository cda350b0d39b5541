#include "solvers/newton.hpp"

#include "core/activity.hpp"
#include "solvers/exact_dots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sunder::solvers {
namespace {

/// The iterate, its residual, and what came of it.
class Iteration {
public:
  Iteration(Equations& equations, const NewtonOptions& options, std::span<double> u)
    : equations_(equations), options_(options), u_(u), r_(u.size()), d_(u.size()), trial_(u.size())
  {
  }

  NewtonResult run(LinearSolver& solver)
  {
    if (!equations_.residual(u_, r_)) {
      result_.inadmissible = true;
      return fails("the state to start from is not admissible");
    }
    look_at_residual();
    while (!converged_) {
      if (std::ssize(result_.residuals) > options_.max_iterations)
        return fails(fmt::format("no convergence in {} iterations", options_.max_iterations));
      if (!std::isfinite(result_.residuals.back())) return fails("the residual is not a number");
      if (!find_correction(solver)) return result_;
      if (!take_correction()) {
        result_.inadmissible = true;
        return fails("no correction is admissible, however short");
      }
      look_at_residual();
      converged_ |= options_.single_iteration;
    }
    result_.converged = true;
    return result_;
  }

private:
  double dot(std::span<const double> a, std::span<const double> b) const
  {
    return exact_dots(equations_.layout().comm, {{a, b}})[0];
  }

  NewtonResult fails(std::string reason)
  {
    result_.reason = std::move(reason);
    return result_;
  }

  void look_at_residual()
  {
    LongWork::advanced();
    const double size = std::sqrt(dot(r_, r_)), scale = equations_.force_scale();
    result_.residuals.push_back(size == 0 ? 0 : size / scale);
    converged_ = size <= options_.tolerance * scale + equations_.round_off();
  }

  /// Fills d_. With the last tangent if that may be kept, or the symmetric one, and if that is not positive definite,
  /// with one that is.
  bool find_correction(LinearSolver& solver)
  {
    const std::vector<double>& residuals = result_.residuals;
    const bool kept = A_ && residuals.back() < options_.keeps_tangent_below * residuals[residuals.size() - 2];
    if (kept && solve(solver)) return true;
    for (const auto kind : {Equations::Tangent::symmetric, Equations::Tangent::positive_definite}) {
      A_ = &equations_.tangent(kind);
      solver.set_matrix(equations_.layout(), *A_, equations_.same_pattern());
      if (solve(solver)) return true;
    }
    return false;
  }

  bool solve(LinearSolver& solver)
  {
    const double tolerance = std::clamp(result_.residuals.back(), 1e-2 * options_.tolerance, options_.linear_tolerance);
    const LinearResult linear = solver.solve(r_, d_, tolerance);
    result_.linear_iterations += linear.iterations;
    // A preconditioner may move what is fixed within the tolerance of the solve, and no residual would bring it back.
    for (std::size_t k = 0; k < d_.size(); ++k)
      if (A_->fixed[k]) d_[k] = 0;
    slope_ = dot(d_, r_);
    if (linear.converged && slope_ > 0) return true;
    result_.reason = fmt::format("linear solve: {} after {} iterations, |r| {:.2g} of the right-hand side",
                                 linear.converged ? "the tangent is not positive definite" : linear.reason,
                                 linear.iterations, linear.residual);
    return false;
  }

  /// u + share d becomes u, share <= 1. Returns false if that was not admissible, however short.
  bool take_correction()
  {
    const double before = dot(r_, r_);
    double share = 1;
    bool admissible = false;
    for (int k = 0; k <= options_.max_halvings; ++k) {
      for (std::size_t i = 0; i < u_.size(); ++i) trial_[i] = u_[i] + share * d_[i];
      admissible = equations_.residual(trial_, r_);
      if (!admissible) {
        share /= 2;
        continue;
      }
      const double slope = dot(d_, r_);
      if (slope >= -0.5 * slope_ || dot(r_, r_) < before) break;
      share *= std::clamp(slope_ / (slope_ - slope), 0.1, 0.9);
    }
    if (admissible) std::copy(trial_.begin(), trial_.end(), u_.begin());
    return admissible;
  }

  Equations& equations_;
  const NewtonOptions& options_;
  std::span<double> u_;
  std::vector<double> r_, d_, trial_;
  const BlockMatrix* A_ = nullptr;  // the last tangent
  double slope_ = 0;                // d . r at the start of d
  bool converged_ = false;
  NewtonResult result_;
};

}  // namespace

NewtonResult newton(Equations& equations, LinearSolver& solver, const NewtonOptions& options, std::span<double> u)
{
  return Iteration(equations, options, u).run(solver);
}

}  // namespace sunder::solvers
