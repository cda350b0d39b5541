/// What a run tells of itself: energies, history, summary.
#include "core/memory.hpp"
#include "element/internal_forces.hpp"
#include "simulation/diagnostics/observe.hpp"
#include "simulation/simulation.hpp"

namespace sunder::simulation {

/// How far velocities are behind positions [s]: those of the symplectic scheme live at half steps.
double Simulation::half_step() const
{
  return scene_.time.scheme == solvers::ExplicitScheme::symplectic && step_ > 0 ? 0.5 * dt_ : 0;
}

double Simulation::kinetic_energy() const
{
  // Half a kick brings velocities to the positions' time.
  const element::Model& model = problem_.model;
  const double half = half_step();
  double twice = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    if (!model.mesh.owned(n)) continue;
    const auto i = static_cast<std::size_t>(n);
    Vec3 v = model.v[i].xyz();
    const auto held = prescribed_.held_axes(model.mesh.node(n).marks);
    const Vec3 kick = half * (model.f[i].xyz() / model.mass[i] + scene_.gravity);
    for (int axis = 0; axis < 3; ++axis)
      if (!held[static_cast<std::size_t>(axis)]) v[axis] += kick[axis];
    twice += model.mass[i] * v.squaredNorm();
  }
  if (comm_.rank() == 0)
    for (std::size_t k = 0; k < obstacle_states_.size(); ++k)
      if (problem_.obstacles[k].motion == rigid::Motion::free)
        twice += 2 * rigid::kinetic_energy(problem_.obstacles[k], obstacle_states_[k]);
  return twice / 2;
}

double Simulation::potential_of_gravity() const
{
  const element::Model& model = problem_.model;
  Vec3 moment = Vec3::Zero();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if (model.mesh.owned(n))
      moment += model.mass[static_cast<std::size_t>(n)] * model.p[static_cast<std::size_t>(n)].xyz();
  if (comm_.rank() == 0)
    for (std::size_t k = 0; k < obstacle_states_.size(); ++k)
      if (problem_.obstacles[k].motion == rigid::Motion::free)
        moment += problem_.obstacles[k].mass * obstacle_states_[k].position;
  return moment.dot(scene_.gravity);
}

io::HistoryRow Simulation::history_row(std::int64_t fragments)
{
  SUNDER_ASSERT(forces_current_);
  const element::Model& model = problem_.model;
  Totals totals_now = totals_share(model);
  Account account{ledger_.work, kinetic_energy(), element::elastic_energy(model.blocks, model.materials, model.p),
                  potential_of_gravity()};
  account.work.external += prescribed_.work_ahead(model, scene_.gravity, half_step());
  Reduction all;
  totals_now.join(all), account.join(all);
  all.over(comm_);
  io::HistoryRow row;
  row.step = step_, row.time = time_, row.dt = dt_;
  row.nodes = totals_now.nodes, row.elements = totals_now.elements;
  row.fragments = fragments, row.events = events_;
  row.energy = ledger_.balance(account);
  return row;
}

io::Summary Simulation::summary(std::int64_t fragments)
{
  const element::Model& model = problem_.model;
  const Totals totals_now = totals(model, comm_);
  const io::HistoryRow row = history_row(fragments);
  io::Summary s;
  s.scene = scene_.name, s.ranks = comm_.size(), s.steps = step_, s.time = time_;
  s.dt_min = step_ > 0 ? dt_min_ : 0;
  s.nodes = row.nodes, s.elements = row.elements, s.fragments = fragments, s.fracture_events = row.events;
  s.nodes_initial = problem_.num_nodes, s.elements_initial = problem_.num_elements;
  s.mass = totals_now.mass, s.momentum = totals_now.momentum, s.energy = row.energy;
  s.state_hash = state_hash(model, comm_);
  s.shares = shares(model.mesh, *problem_.halo);
  s.shares.work_imbalance = imbalance(comm_, work_spent()).ratio, s.shares.times_shared_out = times_shared_out_;
  s.step_limit = {limit().kind, limit().element, limit().seconds};
  s.wall = wall_;
  s.peak_rss_bytes = peak_resident_bytes();
  s.bytes_per_element =
      static_cast<double>(s.peak_rss_bytes - memory_at_start_) / std::max<double>(1, model.mesh.num_slots());
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.primary(e)) continue;
    const element::ElementLimit limit = element::element_limit(model, e);
    s.viscosity_capped_elements += limit.viscosity_capped, s.added_mass += limit.added_mass;
  }
  double loop = loop_seconds_, halo_bytes = halo_bytes_;
  Reduction all;
  s.wall.join(all);
  all.max(loop, s.peak_rss_bytes, s.bytes_per_element);
  all.sum(halo_bytes, s.viscosity_capped_elements, s.added_mass);
  all.over(comm_);
  if (element_steps_ > 0) s.ns_per_element_step = 1e9 * loop * comm_.size() / static_cast<double>(element_steps_);
  s.halo_bytes_per_step = step_ > 0 ? halo_bytes / static_cast<double>(step_) : 0;
  s.warnings = problem_.warnings;
  return s;
}

}  // namespace sunder::simulation
