#include "solvers/reproducible_minres.hpp"

#include "solvers/block_product.hpp"
#include "solvers/exact_dots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder::solvers {

void ReproducibleMinres::set_definite(const NodeLayout& layout, const BlockMatrix& definite, bool same_pattern)
{
  layout_ = &layout, definite_ = definite;
  all_.resize(3 * static_cast<std::size_t>(layout.size()));
  for (auto* v : {&r_, &v_, &v_old_, &z_, &Az_, &w_, &w_old_, &Mv_})
    v->resize(3 * static_cast<std::size_t>(layout.num_owned));
  problem_ = preconditioner_.set_matrix(layout, definite_, same_pattern);
}

void ReproducibleMinres::multiply_by(const BlockMatrix& A, std::span<const double> x, std::span<double> y)
{
  std::copy(x.begin(), x.end(), all_.begin());
  layout_->owners_to_ghosts(all_);
  multiply(A, all_, y);
}

double ReproducibleMinres::dot(std::span<const double> a, std::span<const double> b) const
{
  return exact_dots(layout_->comm, {{a, b}})[0];
}

/// Steps from x, whose residual is r_, until the norm of the residual that the preconditioner induces has become
/// `least` of what it was. The names are those of Elman, Silvester and Wathen (2014), algorithm 4.1.
ReproducibleMinres::End ReproducibleMinres::iterate(const BlockMatrix& A, std::span<double> x, double least,
                                                    int& iterations)
{
  const std::size_t n = x.size();
  v_ = r_;
  for (auto* v : {&v_old_, &w_, &w_old_}) std::fill(v->begin(), v->end(), 0);
  preconditioner_.apply_symmetric(v_, Mv_);
  const double first = dot(v_, Mv_);
  if (!std::isfinite(first)) return End::not_finite;
  if (!(first > 0)) return End::no_preconditioner;
  double gamma_old = 1, gamma = std::sqrt(first), eta = gamma;
  double s_old = 0, s = 0, c_old = 1, c = 1;
  const double target = least * gamma;
  for (; std::abs(eta) > target; ++iterations) {
    if (iterations >= options_.max_iterations) return End::limit;
    for (std::size_t k = 0; k < n; ++k) z_[k] = Mv_[k] / gamma;
    multiply_by(A, z_, Az_);
    const double delta = dot(Az_, z_);
    for (std::size_t k = 0; k < n; ++k) {
      const double next = Az_[k] - delta / gamma * v_[k] - gamma / gamma_old * v_old_[k];
      v_old_[k] = v_[k], v_[k] = next;
    }
    preconditioner_.apply_symmetric(v_, Mv_);
    const double squared = dot(v_, Mv_);
    if (!std::isfinite(squared) || !std::isfinite(delta)) return End::not_finite;
    const double gamma_next = std::sqrt(std::max(squared, 0.0));
    const double alpha_0 = c * delta - c_old * s * gamma, alpha_2 = s * delta + c_old * c * gamma,
                 alpha_3 = s_old * gamma, alpha_1 = std::hypot(alpha_0, gamma_next);
    if (!(alpha_1 > 0)) return End::small;
    c_old = std::exchange(c, alpha_0 / alpha_1), s_old = std::exchange(s, gamma_next / alpha_1);
    for (std::size_t k = 0; k < n; ++k) {
      const double next = (z_[k] - alpha_3 * w_old_[k] - alpha_2 * w_[k]) / alpha_1;
      w_old_[k] = w_[k], w_[k] = next;
      x[k] += c * eta * next;
    }
    eta *= -s;
    gamma_old = std::exchange(gamma, gamma_next);
    if (!(gamma > 0)) return End::small;
  }
  return End::small;
}

LinearResult ReproducibleMinres::solve(const BlockMatrix& A, std::span<const double> b, std::span<double> x,
                                       double tolerance)
{
  LinearResult result;
  std::fill(x.begin(), x.end(), 0);
  const double norm = std::sqrt(dot(b, b));
  result.residual = norm > 0 ? 1 : 0;
  if (norm == 0) return result.converged = true, result;
  if (problem_ || !std::isfinite(norm)) {
    result.reason = problem_ ? *problem_ : "the right-hand side holds a value that is not finite";
    return result;
  }
  std::copy(b.begin(), b.end(), r_.begin());
  // The norms are not the same, and round-off parts the recurrence from the residual: begin anew as long as it helps.
  for (double left = 1; left > tolerance;) {
    const End end = iterate(A, x, 0.3 * tolerance / left, result.iterations);
    multiply_by(A, x, Az_);
    for (std::size_t k = 0; k < b.size(); ++k) r_[k] = b[k] - Az_[k];
    result.residual = std::sqrt(dot(r_, r_)) / norm;
    if (end != End::small || !(result.residual < left / 2)) {
      magnitudes(A, b, all_, Az_);  // of x, which is in all_ still
      if (result.residual * norm <= std::max(tolerance * norm, product_round_off * std::sqrt(dot(Az_, Az_)))) break;
      result.reason = fmt::format("{}: relative residual {:.3g} after {} iterations",
                                  end == End::limit               ? "the limit of iterations was reached"
                                  : end == End::not_finite        ? "a value that is not finite arose"
                                  : end == End::no_preconditioner ? "the preconditioner is not positive definite"
                                                                  : "iterations no longer bring the solution nearer",
                                  result.residual, result.iterations);
      return result;
    }
    left = result.residual;
  }
  result.converged = true;
  return result;
}

}  // namespace sunder::solvers
