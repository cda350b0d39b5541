/// The tangent of Equilibrium, and its first guess without inertia.

#include "element/cohesion.hpp"
#include "simulation/equilibrium/equilibrium.hpp"
#include "solvers/block_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sunder::simulation {

/// Brings u_ near the solution: the linear answer to the loads at the end of the step and to what is prescribed.
bool Equilibrium::predict(solvers::LinearSolver& solver, solvers::NewtonResult& result)
{
  std::vector<double> r(u_.size()), d(u_.size());
  if (!residual(d, r)) {
    result.inadmissible = true, result.reason = "an element is turned inside out at the start of the step";
    return false;
  }
  for (const Tangent kind : {Tangent::symmetric, Tangent::positive_definite}) {
    assemble(kind);
    std::vector<double> prescribed(3 * layout().ids.size());
    std::copy(u_.begin(), u_.end(), prescribed.begin());
    layout().owners_to_ghosts(prescribed);
    solvers::multiply(matrix_->matrix(), prescribed, d);
    std::vector<double> right(r);
    for (std::size_t k = 0; k < r.size(); ++k) right[k] = fixed_[k] ? 0 : r[k] - d[k];
    matrix_->fix(fixed_);
    solver.set_matrix(layout(), matrix_->matrix(), same_pattern_);
    const solvers::LinearResult linear = solver.solve(right, d, scene_.solver.newton.linear_tolerance);
    result.linear_iterations += linear.iterations;
    if (linear.converged) break;
    if (kind == Tangent::symmetric) continue;  // where a body is about to buckle, or to leave an obstacle
    result.reason = fmt::format("linear solve: {} after {} iterations, {:.2g} of the right-hand side is left",
                                linear.reason, linear.iterations, linear.residual);
    return false;
  }
  for (std::size_t k = 0; k < d.size(); ++k)
    if (!fixed_[k]) u_[k] = d[k];
  return true;
}

const solvers::BlockMatrix& Equilibrium::tangent(Tangent kind)
{
  assemble(kind);
  matrix_->fix(fixed_);
  return matrix_->matrix();
}

void Equilibrium::assemble(Tangent kind)
{
  couple_bodies();
  using element::TangentKind;
  const element::TangentOptions options{
      kind == Tangent::symmetric ? TangentKind::symmetric : TangentKind::positive_definite,
      inertia_ ? inertia_->rate(dt_) : 0};
  matrix_->clear();
  matrix_->add_elements(state_.model, start_.strain, options);
  const auto add = [this](LocalIndex row, LocalIndex column, const Mat3& block) { matrix_->add(row, column, block); };
  loads_.add_tangent(state_.model.p, t_end_, options.kind, add);
  obstacles_.add_tangent(options, add);
  element::add_link_tangents(state_.model, options.kind, softening_, add);
  bodies_.add_tangent(options, *matrix_);
  if (!inertia_ && scene_.solver.floating == config::Floating::contact) hold_by_contact();
  if (inertia_)
    for (LocalIndex i = 0; i < layout().num_owned; ++i)
      matrix_->add_diagonal(i, inertia_->inertia(dt_) * mass_[static_cast<std::size_t>(i)]);
  same_pattern_ = std::exchange(pattern_known_, true);
}

/// Where other elements overlap than the matrix has room for, it gets another pattern, and the numbering their nodes.
void Equilibrium::couple_bodies()
{
  if (!bodies_.enabled() || !bodies_.needs_room()) return;
  matrix_.reset();
  matrix_ = std::make_unique<StiffnessMatrix>(state_.model.mesh, *numbering_, bodies_.make_room(*numbering_),
                                              std::span<const std::uint8_t>(), linked_nodes());
  pattern_known_ = false;
  send_to_guests(prescribed_unknowns_), send_to_guests(fixed_);
}

/// @param flags  (3 nodes) as the numbering was before
void Equilibrium::send_to_guests(std::vector<std::uint8_t>& flags) const
{
  std::vector<double> values(3 * layout().ids.size());
  std::copy_n(flags.begin(), 3 * static_cast<std::size_t>(layout().num_owned), values.begin());
  layout().owners_to_ghosts(values);
  flags.resize(values.size());
  std::transform(values.begin(), values.end(), flags.begin(), [](double x) { return x != 0; });
}

}  // namespace sunder::simulation
