/// What of an equilibrium is prescribed, and what holds fragments that nothing else does.

#include "simulation/equilibrium/equilibrium.hpp"

#include "core/counted.hpp"
#include "solvers/exact_dots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace sunder::simulation {

/// What is prescribed at the end of the step: which unknowns are fixed, and where they go.
void Equilibrium::find_targets()
{
  const element::Model& model = state_.model;
  u_.assign(3 * static_cast<std::size_t>(layout().num_owned), 0);
  targets_ = prescribed_.targets(model, state_.load_time(), t_end_ - state_.load_time());
  std::vector<double> fixed(3 * layout().ids.size());
  for (const PrescribedMotion::Target& target : targets_) {
    const auto i = static_cast<std::size_t>(numbering_->index(target.node));
    const Vec3 change = target.position - model.p[static_cast<std::size_t>(target.node)].xyz();
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (target.condition[axis] >= 0)
        u_[3 * i + axis] = change[static_cast<Eigen::Index>(axis)], fixed[3 * i + axis] = 1;
  }
  layout().owners_to_ghosts(fixed);
  std::vector<std::uint8_t> now(fixed.size());
  std::transform(fixed.begin(), fixed.end(), now.begin(), [](double x) { return x != 0; });
  // Every rank has to agree on what stays: a solver makes its objects anew on all of them.
  const bool changed = state_.comm.max(std::int64_t{now != prescribed_unknowns_}) != 0;
  if (!changed && pattern_known_ && floating_.empty()) return;
  prescribed_unknowns_ = std::move(now);
  const std::vector<std::uint8_t> before = std::exchange(fixed_, prescribed_unknowns_);
  hold_floating();
  if (state_.comm.max(std::int64_t{fixed_ != before}) != 0) pattern_known_ = false;
}

/// Without inertia, fragments that nothing holds get supports, which take no force once loads are relieved of their
/// inertia. They are chosen in each step: by the state alone, so that a restart or a repartition chooses alike.
void Equilibrium::hold_floating()
{
  if (inertia_) return;  // which holds them
  const std::vector<double> x = positions();
  floating_ = find_floating(layout(), x, fixed_);
  if (floating_.empty() || scene_.solver.floating == config::Floating::contact) return;
  std::vector<double> supports(3 * layout().ids.size());
  for (const std::size_t k : statically_determinate_supports(layout(), floating_, x)) supports[k] = 1;
  layout().owners_to_ghosts(supports);
  for (std::size_t k = 0; k < supports.size(); ++k)
    if (supports[k] != 0) fixed_[k] = 1;
}

std::vector<double> Equilibrium::positions() const
{
  std::vector<double> x(3 * static_cast<std::size_t>(layout().num_owned));
  for (LocalIndex i = 0; i < layout().num_owned; ++i)
    Vec3::Map(&x[3 * static_cast<std::size_t>(i)]) =
        state_.model.p[static_cast<std::size_t>(numbering_->node(i))].xyz();
  return x;
}

std::optional<std::string> Equilibrium::floating_problem()
{
  t_end_ = state_.load_time();
  find_targets();
  if (floating_.empty() || scene_.solver.floating != config::Floating::error) return std::nullopt;
  return fmt::format(
      "expected boundary conditions that hold each fragment, but {}{}; hold it, or set solver.floating to "
      "inertia_relief or contact",
      floating_.front().text(),
      floating_.size() > 1 ? fmt::format(" (and {})", counted(std::ssize(floating_) - 1, "more fragment")) : "");
}

/// External forces get the inertia of fragments that nothing holds. Supports have no part in those motions.
void Equilibrium::apply_inertia_relief()
{
  std::vector<double> forces(internal_.size());
  std::transform(internal_.begin(), internal_.end(), external_.begin(), forces.begin(), std::plus());
  const std::vector<double> before = forces;
  InertiaRelief(layout(), find_floating(layout(), positions(), prescribed_unknowns_), positions(), mass_).apply(forces);
  relief_.resize(forces.size());
  for (std::size_t k = 0; k < forces.size(); ++k) external_[k] += relief_[k] = forces[k] - before[k];
}

/// Without inertia: a spring to where they are holds fragments that contact has to hold but does not yet. It is in the
/// tangent alone, so it holds nothing that is found. As it is in proportion to the residual, convergence stays
/// quadratic.
void Equilibrium::hold_by_contact()
{
  if (floating_.empty()) return;
  const double rate = restoring_rate();
  for (LocalIndex i = 0; i < layout().num_owned; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (std::ranges::binary_search(floating_, layout().component[k], {}, &FloatingFragment::fragment))
      matrix_->add_diagonal(i, rate * mass_[k]);
  }
}

/// Such that no fragment moves by more than a tenth of the mesh size in one correction: its acceleration over that
/// [1/s^2].
double Equilibrium::restoring_rate()
{
  double stiffest = 0;
  for (const auto& m : state_.model.materials) stiffest = std::max(stiffest, m.p_wave_modulus());
  std::vector<double> weighted(u_.size()), roots(mass_.size());
  for (std::size_t k = 0; k < u_.size(); ++k) {
    const double root = roots[k / 3] = std::sqrt(mass_[k / 3]);
    weighted[k] = fixed_[k] ? 0 : (internal_[k] + external_[k]) / root;
  }
  const auto [squares, mass] = solvers::exact_dots(state_.comm, {{weighted, weighted}, {roots, roots}});
  const double rate = std::sqrt(squares / mass) / (0.1 * state_.mesh_size);
  if (least_restoring_rate_ == 0) least_restoring_rate_ = 1e-6 * rate + 1e-12 * stiffest * state_.mesh_size / mass;
  return std::max(rate, least_restoring_rate_);
}

}  // namespace sunder::simulation
