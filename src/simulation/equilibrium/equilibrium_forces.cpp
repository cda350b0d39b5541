/// Forces in the positions that Equilibrium tries.

#include "core/stopwatch.hpp"
#include "element/cohesion.hpp"
#include "element/internal_forces.hpp"
#include "simulation/equilibrium/equilibrium.hpp"
#include "solvers/exact_dots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::simulation {

/// Positions are rounded to a part in 2^53 of their size, which strains an element by that over its edges.
void Equilibrium::find_round_off()
{
  double farthest = 0, stiffest = 0;
  for (const Row4& p : state_.model.p) farthest = std::max(farthest, p.xyz().lpNorm<Eigen::Infinity>());
  for (const auto& m : state_.model.materials) stiffest = std::max(stiffest, m.p_wave_modulus());
  const double unknowns = 3 * static_cast<double>(state_.comm.sum(std::int64_t{layout().num_owned}));
  round_off_ = 2 * std::numeric_limits<double>::epsilon() * state_.comm.max(farthest) * state_.mesh_size * stiffest *
               std::sqrt(unknowns);
}

bool Equilibrium::residual(std::span<const double> u, std::span<double> r)
{
  move_to(u);
  {
    const PhaseStopwatch watch(state_.measured.wall.halo);
    state_.halo->owners_to_ghosts(std::span<Row4>(state_.model.p), std::span<Row4>(state_.model.v));
  }
  restore_strain();
  if (!evaluate(t_end_, ObstacleForces::At::end)) return false;
  if (inertia_) add_inertia();
  if (relieves()) apply_inertia_relief();
  for (std::size_t k = 0; k < r.size(); ++k) r[k] = fixed_[k] ? 0 : internal_[k] + external_[k] + inertial_[k];
  return true;
}

/// Owned nodes: positions, and what follows from them of motion.
void Equilibrium::move_to(std::span<const double> u)
{
  element::Model& model = state_.model;
  for (LocalIndex i = 0; i < layout().num_owned; ++i) {
    const auto n = static_cast<std::size_t>(numbering_->node(i));
    const std::size_t first = 3 * static_cast<std::size_t>(i);
    model.p[n].set_xyz(start_.p[n].xyz() + Vec3::Map(&u[first]));
    if (!inertia_) continue;
    const Vec3 v0 = start_.v[n].xyz(), a0 = start_.a[n].xyz();
    Vec3 v, a;
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t k = first + static_cast<std::size_t>(axis);
      if (fixed_[k]) {
        v[axis] = u[k] / dt_, a[axis] = (v[axis] - v0[axis]) / dt_;
      } else {
        a[axis] = inertia_->acceleration(u[k], v0[axis], a0[axis], dt_);
        v[axis] = inertia_->velocity(v0[axis], a0[axis], a[axis], dt_);
      }
    }
    model.v[n].set_xyz(v), model.a[n].set_xyz(a);
  }
}

/// The balance at the weights of the scheme, divided by that of the forces at the end of the step.
void Equilibrium::add_inertia()
{
  const auto& [beta, gamma, early, alpha_m, alpha_f] = *inertia_;
  for (std::size_t k = 0; k < inertial_.size(); ++k) {
    const auto n = static_cast<std::size_t>(numbering_->node(static_cast<LocalIndex>(k / 3)));
    const auto axis = static_cast<Eigen::Index>(k % 3);
    const double a = (1 - alpha_m) * state_.model.a[n].xyz()[axis] + alpha_m * start_.a[n].xyz()[axis];
    inertial_[k] = (alpha_f * (start_.internal[k] + start_.external[k]) - mass_[k / 3] * a) / (1 - alpha_f);
  }
}

void Equilibrium::compute_forces()
{
  const auto blocks = state_.model.blocks.plastic_blocks();
  const std::vector<element::PlasticBlock> strain(blocks.begin(), blocks.end());
  evaluate(state_.load_time(), ObstacleForces::At::start);
  // Strain that lies on the yield surface may flow on by a bit of round-off, which is no step.
  std::copy(strain.begin(), strain.end(), blocks.begin());
}

/// Forces in the present positions. Returns false if an element of any rank is turned inside out.
bool Equilibrium::evaluate(double t, ObstacleForces::At at)
{
  const PhaseStopwatch watch(state_.measured.wall.forces);
  element::Model& model = state_.model;
  std::fill(model.f.begin(), model.f.end(), Row4{});
  const auto sums = element::add_internal_forces(model.blocks, model.materials, model.p, model.v, model.f);
  element::add_trial_forces_of_links(model);
  plastic_work_ = sums.plastic_work, viscous_power_ = sums.viscous_power;
  inverted_ = sums.min_stretch <= 0 ? sums.min_stretch_element : -1;
  loads_on_nodes_.assign(model.f.size(), Row4{});
  loads_.add_forces(model.p, t, loads_on_nodes_);
  std::span<const Row4> by_obstacles, by_bodies;
  {
    const PhaseStopwatch contact(state_.measured.wall.contact);
    by_obstacles = obstacles_.find(at), by_bodies = bodies_.find();
  }
  contact_on_nodes_.assign(by_obstacles.begin(), by_obstacles.end());
  const std::size_t size = 3 * static_cast<std::size_t>(layout().num_owned);
  internal_.resize(size), external_.resize(size), inertial_.assign(size, 0);
  for (std::size_t i = 0; 3 * i < size; ++i) {
    const auto n = static_cast<std::size_t>(numbering_->node(static_cast<LocalIndex>(i)));
    contact_on_nodes_[n].set_xyz(contact_on_nodes_[n].xyz() + by_bodies[n].xyz());
    Vec3::Map(&internal_[3 * i]) = model.f[n].xyz();
    Vec3::Map(&external_[3 * i]) =
        loads_on_nodes_[n].xyz() + contact_on_nodes_[n].xyz() + model.mass[n] * scene_.gravity;
  }
  return state_.comm.max(std::int64_t{inverted_ >= 0}) == 0;
}

double Equilibrium::force_scale()
{
  const auto [internal, external, inertial] =
      solvers::exact_dots(state_.comm, {{internal_, internal_}, {external_, external_}, {inertial_, inertial_}});
  return std::sqrt(std::max({internal, external, inertial}));
}

}  // namespace sunder::simulation
