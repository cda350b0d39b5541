#include "solvers/reproducible_solver.hpp"

#include "solvers/block_product.hpp"
#include "solvers/exact_dots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sunder::solvers {

void ReproducibleSolver::set_matrix(const NodeLayout& layout, const BlockMatrix& A, bool same_pattern)
{
  layout_ = &layout, A_ = &A;
  all_.resize(3 * static_cast<std::size_t>(layout.size()));
  for (auto* v : {&r_, &z_, &p_, &Ap_}) v->resize(3 * static_cast<std::size_t>(layout.num_owned));
  problem_ = preconditioner_.set_matrix(layout, A, same_pattern);
}

void ReproducibleSolver::multiply_by_matrix(std::span<const double> x, std::span<double> y)
{
  std::copy(x.begin(), x.end(), all_.begin());
  layout_->owners_to_ghosts(all_);
  multiply(*A_, all_, y);
}

/// r = b - A x
double ReproducibleSolver::true_residual(std::span<const double> b, std::span<const double> x)
{
  multiply_by_matrix(x, r_);
  for (std::size_t k = 0; k < b.size(); ++k) r_[k] = b[k] - r_[k];
  return std::sqrt(exact_dots(layout_->comm, {{r_, r_}})[0]);
}

const char* ReproducibleSolver::in_words(Verdict verdict)
{
  switch (verdict) {
    case Verdict::limit:
      return "the limit of iterations was reached";
    case Verdict::indefinite:
      return "the matrix is not positive definite";
    case Verdict::not_finite:
      return "a value that is not finite arose";
    case Verdict::small:
      break;
  }
  return "iterations no longer bring the solution nearer";
}

/// Steps from x, whose residual is r_, until |r_| <= target. In exact arithmetic r_ stays b - A x.
ReproducibleSolver::Verdict ReproducibleSolver::iterate(std::span<double> x, double target, int& iterations)
{
  const Comm& comm = layout_->comm;
  double last_rz = 0;  // 0: no step yet
  for (;; ++iterations) {
    const double rr = exact_dots(comm, {{r_, r_}})[0];
    if (!std::isfinite(rr)) return Verdict::not_finite;
    if (std::sqrt(rr) <= target) return Verdict::small;
    if (iterations >= options_.max_iterations) return Verdict::limit;
    preconditioner_.apply(r_, z_);
    const double rz = exact_dots(comm, {{r_, z_}})[0];
    if (!std::isfinite(rz)) return Verdict::not_finite;
    if (!(rz > 0)) return Verdict::indefinite;
    const double beta = last_rz > 0 ? rz / last_rz : 0;
    for (std::size_t k = 0; k < x.size(); ++k) p_[k] = z_[k] + (beta > 0 ? beta * p_[k] : 0);
    multiply_by_matrix(p_, Ap_);
    const double pAp = exact_dots(comm, {{p_, Ap_}})[0];
    if (!std::isfinite(pAp)) return Verdict::not_finite;
    if (!(pAp > 0)) return Verdict::indefinite;
    const double alpha = rz / pAp;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += alpha * p_[k], r_[k] -= alpha * Ap_[k];
    last_rz = rz;
  }
}

/// What round-off of its products alone may add to |b - A x|.
double ReproducibleSolver::round_off(std::span<const double> b, std::span<const double> x)
{
  std::copy(x.begin(), x.end(), all_.begin());
  layout_->owners_to_ghosts(all_);
  magnitudes(*A_, b, all_, z_);
  return product_round_off * std::sqrt(exact_dots(layout_->comm, {{z_, z_}})[0]);
}

LinearResult ReproducibleSolver::solve(std::span<const double> b, std::span<double> x, double tolerance)
{
  LinearResult result;
  std::fill(x.begin(), x.end(), 0);
  const double norm = std::sqrt(exact_dots(layout_->comm, {{b, b}})[0]);
  result.residual = norm > 0 ? 1 : 0;
  if (problem_ || !std::isfinite(norm)) {
    result.reason = problem_ ? *problem_ : "the right-hand side holds a value that is not finite";
    return result;
  }
  std::copy(b.begin(), b.end(), r_.begin());
  // The residual of the recurrence leaves the true one by round-off: as long as it helps, begin anew from where it is.
  for (double last = 2 * norm;;) {
    preconditioner_.start(r_, z_);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += z_[k];
    true_residual(b, x);
    const Verdict verdict = iterate(x, tolerance * norm, result.iterations);
    const double residual = true_residual(b, x);
    result.residual = norm > 0 ? residual / norm : 0;
    result.converged = residual <= tolerance * norm || residual <= round_off(b, x);
    if (result.converged) return result;
    const bool may_help = verdict == Verdict::small || verdict == Verdict::indefinite;
    if (!(may_help && residual < last / 2)) {
      result.reason = fmt::format("{}: relative residual {:.3g} after {} iterations", in_words(verdict),
                                  result.residual, result.iterations);
      return result;
    }
    last = residual;
  }
}

}  // namespace sunder::solvers
