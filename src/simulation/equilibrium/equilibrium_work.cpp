/// What a step of Equilibrium does to energies and reactions.

#include "element/cohesion.hpp"
#include "element/internal_forces.hpp"
#include "simulation/equilibrium/equilibrium.hpp"

namespace sunder::simulation {

/// Work is that of the mean of the forces at both ends of the step.
void Equilibrium::accept(double dt)
{
  Work& work = state_.ledger.work;
  Reactions& reactions = state_.reactions;
  if (!inertia_) reactions.begin(state_.time - dt);
  for (const PrescribedMotion::Target& target : targets_) {
    const auto n = static_cast<std::size_t>(target.node);
    const auto i = static_cast<std::size_t>(numbering_->index(target.node));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (target.condition[axis] < 0) continue;
      const std::size_t k = 3 * i + axis;
      const auto at = static_cast<Eigen::Index>(axis);
      const double now = internal_[k] + external_[k], mean = 0.5 * (start_.internal[k] + start_.external[k] + now);
      const double impulse = inertia_ ? mass_[i] * dt * state_.model.a[n].xyz()[at] - dt * mean : -dt * now;
      reactions.boundary[static_cast<std::size_t>(target.condition[axis])].add(impulse * Vec3::Unit(at),
                                                                               state_.model.p[n].xyz());
      work.external += kinetic_gain(k) - mean * u_[k];
    }
  }
  for (LocalIndex i = 0; i < layout().num_owned; ++i) {
    const auto n = static_cast<std::size_t>(numbering_->node(i));
    const auto u = Vec3::Map(&u_[3 * static_cast<std::size_t>(i)]);
    work.external += 0.5 * (start_.loads[n].xyz() + loads_on_nodes_[n].xyz()).dot(u);
    work.contact -= 0.5 * (start_.contact[n].xyz() + contact_on_nodes_[n].xyz()).dot(u);
  }
  for (std::size_t k = 0; k < relief_.size(); ++k)  // so rigid motions of what floats do no work
    work.external += 0.5 * (start_.relief[k] + relief_[k]) * u_[k];
  obstacles_.accept();
  bodies_.accept();
  loads_.add_impulses(state_.model.p, t_end_, dt, reactions.loads);
  work.plastic += plastic_work_;
  if (inertia_) {
    const double viscous = 0.5 * dt * (start_.viscous_power + viscous_power_);
    work.viscous += viscous;
    work.numerical += numerical_work() - viscous;
  }
  element::open_links(state_.model);
}

/// What the step takes out of the bodies besides viscosity and plastic flow: the work that inertia and internal forces
/// do on each other by the weights of the scheme, less what becomes of energies.
double Equilibrium::numerical_work() const
{
  const double late = 1 - inertia_->alpha_f, early = inertia_->alpha_f;
  double work = start_.kinetic - kinetic_energy() + start_.elastic - elastic_energy() - plastic_work_ + start_.links -
                element::energy_of_links(state_.model);
  for (std::size_t k = 0; k < u_.size(); ++k) {
    if (prescribed_unknowns_[k]) {
      work += kinetic_gain(k) - 0.5 * (start_.internal[k] + internal_[k]) * u_[k];
    } else {
      const double inertia = early * (start_.internal[k] + start_.external[k]) - late * inertial_[k];
      const double internal = late * internal_[k] + early * start_.internal[k];
      // Their work is that of their mean; in the scheme they have its weights.
      const double external = (0.5 - late) * external_[k] + (0.5 - early) * start_.external[k];
      work += (inertia - internal + external) * u_[k];
    }
  }
  return work;
}

/// Of one unknown in the step [J].
double Equilibrium::kinetic_gain(std::size_t k) const
{
  if (!inertia_) return 0;
  const auto n = static_cast<std::size_t>(numbering_->node(static_cast<LocalIndex>(k / 3)));
  const auto axis = static_cast<Eigen::Index>(k % 3);
  const double v = state_.model.v[n].xyz()[axis], v0 = start_.v[n].xyz()[axis];
  return 0.5 * mass_[k / 3] * (v * v - v0 * v0);
}

double Equilibrium::kinetic_energy() const
{
  double twice = 0;
  for (LocalIndex i = 0; i < layout().num_owned; ++i)
    twice += mass_[static_cast<std::size_t>(i)] *
             state_.model.v[static_cast<std::size_t>(numbering_->node(i))].xyz().squaredNorm();
  return twice / 2;
}

double Equilibrium::elastic_energy() const
{
  return element::elastic_energy(state_.model.blocks, state_.model.materials, state_.model.p);
}

}  // namespace sunder::simulation
