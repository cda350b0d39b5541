#include "lattice/minimum_norm.hpp"

#include "solvers/exact_dots.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::lattice {

SolveResult minimum_norm_solution(const Comm& comm, const BondOperator& op, std::span<const double> b, double scale,
                                  std::span<double> lambda, const SolveOptions& options)
{
  if (scale == 0) {  // iterations would only come near to it
    std::fill(lambda.begin(), lambda.end(), 0);
    return {.converged = true};
  }
  const std::size_t n = b.size();
  std::vector<double> r(n), y(n), p(lambda.size(), 0);
  op.apply(lambda, y);
  for (std::size_t k = 0; k < n; ++k) p[k] = r[k] = b[k] - y[k];
  const std::span<const double> own_p(p.data(), n);
  auto [rr] = solvers::exact_dots(comm, {{r, r}});
  SolveResult result;
  const double enough = options.tolerance * options.tolerance * scale * scale;
  while (rr > enough && result.iterations < options.max_iterations) {
    op.apply(p, y);
    const auto [py] = solvers::exact_dots(comm, {{own_p, y}});
    if (!(py > 0)) break;  // p moves no bond: what is left of b is outside the range
    const double step = rr / py;
    for (std::size_t k = 0; k < n; ++k) lambda[k] += step * p[k], r[k] -= step * y[k];
    const auto [next] = solvers::exact_dots(comm, {{r, r}});
    const double share = next / rr;
    for (std::size_t k = 0; k < n; ++k) p[k] = r[k] + share * p[k];
    rr = next, ++result.iterations;
  }
  // Outside the range p grows without bounds, and what the recurrence takes for the residual has lost its meaning.
  op.apply(lambda, y);
  for (std::size_t k = 0; k < n; ++k) r[k] = b[k] - y[k];
  const auto [left] = solvers::exact_dots(comm, {{r, r}});
  result.converged = rr <= enough && left <= 1e4 * enough;  // false if one is not a number
  result.residual = std::sqrt(left) / scale;
  return result;
}

}  // namespace sunder::lattice
