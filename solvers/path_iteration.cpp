#include "solvers/path_iteration.hpp"

#include "core/activity.hpp"
#include "solvers/exact_dots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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
  const BlockMatrix& D = tangent(equations, Equations::Tangent::positive_definite);  // first: it may set any_knows_
  any_.set_definite(equations.layout(), D, std::exchange(any_knows_, true));
  const BlockMatrix& A = tangent(equations, Equations::Tangent::symmetric);
  for (std::size_t k = 0; k < b.size(); ++k) {
    const LinearResult one = any_.solve(A, b[k], x[k], tolerance);
    const int iterations = result.iterations + one.iterations;
    result = one, result.iterations = iterations;
    if (!one.converged) break;
  }
  return result;
}

PathIteration::PathIteration(PathEquations& equations, PathSolver& solver, const NewtonOptions& options, double begin,
                             double little, std::span<double> u)
  : equations_(equations), solver_(solver), options_(options), u_(u), little_(little), b_(2), d_(2)
{
  for (std::vector<double>& v : b_) v.resize(u.size());
  for (std::vector<double>& v : d_) v.resize(u.size());
  solver_.begin();
  result_.t = begin;
  std::fill(u_.begin(), u_.end(), 0);
}

double PathIteration::dot(std::span<const double> a, std::span<const double> b) const
{
  return exact_dots(equations_.layout().comm, {{a, b}})[0];
}

bool PathIteration::fails(std::string reason, bool inadmissible)
{
  result_.newton.reason = std::move(reason), result_.newton.inadmissible = inadmissible;
  return false;
}

bool PathIteration::evaluate()
{
  equations_.prescribe(result_.t, u_);
  if (!equations_.residual(u_, residual())) return fails("an element is turned inside out", true);
  size_ = std::sqrt(dot(residual(), residual())), scale_ = equations_.force_scale();
  return true;
}

bool PathIteration::balanced() const
{
  return size_ <= options_.tolerance * scale_ + equations_.round_off();
}

bool PathIteration::count_iteration()
{
  LongWork::advanced();
  std::vector<double>& residuals = result_.newton.residuals;
  residuals.push_back(size_ == 0 ? 0 : size_ / scale_);
  if (!std::isfinite(residuals.back())) return fails("the residual is not a number");
  return std::ssize(residuals) <= options_.max_iterations + 1 ||
         fails(fmt::format("no convergence in {} iterations", options_.max_iterations));
}

bool PathIteration::find_answers(bool both)
{
  std::vector<double> moved(u_.begin(), u_.end()), here(u_.begin(), u_.end());
  equations_.prescribe(result_.t + little_, moved);
  const bool admissible = equations_.residual(moved, by_loads());
  equations_.prescribe(result_.t, here);
  if (!admissible || !equations_.residual(here, residual())) return fails("an element is turned inside out", true);
  for (std::size_t k = 0; k < u_.size(); ++k) by_loads()[k] = (by_loads()[k] - residual()[k]) / little_;
  const double relative = result_.newton.residuals.empty() ? 0 : result_.newton.residuals.back();
  const double tolerance = std::clamp(relative, 1e-2 * options_.tolerance, options_.linear_tolerance);
  const LinearResult linear = both ? solver_.solve(equations_, b_, d_, tolerance) : solve_for_loads();
  result_.newton.linear_iterations += linear.iterations;
  for (std::size_t k = 0; k < u_.size(); ++k)
    if (equations_.fixed()[k]) d_[0][k] = 0, d_[1][k] = (moved[k] - here[k]) / little_;
  return linear.converged ||
         fails(fmt::format("linear solve: {} after {} iterations", linear.reason, linear.iterations));
}

/// The first guess needs no more. It is the better the more exactly it is along the path.
LinearResult PathIteration::solve_for_loads()
{
  constexpr double tolerance = 1e-6;
  return solver_.solve(equations_, std::span(b_).last(1), std::span(d_).last(1), tolerance);
}

void PathIteration::advance(double share, double change)
{
  for (std::size_t k = 0; k < u_.size(); ++k) u_[k] += share * d_[0][k] + change * d_[1][k];
  result_.t += change;
}

}  // namespace sunder::solvers
