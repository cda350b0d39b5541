#include "simulation/equilibrium/equilibrium.hpp"

#include "core/stopwatch.hpp"
#include "element/cohesion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sunder::simulation {

Equilibrium::Equilibrium(const config::Scene& scene, State& state, const PrescribedMotion& prescribed, Loads& loads,
                         const std::optional<solvers::ImplicitScheme>& inertia, Bodies bodies)
  : scene_(scene),
    state_(state),
    prescribed_(prescribed),
    loads_(loads),
    inertia_(inertia),
    obstacles_(scene, state, inertia.has_value()),
    bodies_(scene, state, bodies == Bodies::touch)
{
}

void Equilibrium::release()
{
  matrix_.reset(), numbering_.reset();
  bodies_.release();
  start_ = {};
}

void Equilibrium::rebuild(std::span<const partition::PairRecord> memory)
{
  release();
  make_matrix();
  bodies_.reset(memory);
}

void Equilibrium::rebuild_after_cut(contact::Origins origins)
{
  matrix_.reset(), numbering_.reset();
  start_ = {};
  make_matrix();
  state_.halo->owners_to_ghosts(std::span<Row4>(state_.model.p));  // with the marks of new links, for contact
  bodies_.cut(std::move(origins));
  begin_new_links();
}

void Equilibrium::make_matrix()
{
  element::Model& model = state_.model;
  if (inertia_ || scene_.solver.load_control == config::LoadControl::arc_length)
    model.a.resize(static_cast<std::size_t>(model.mesh.num_nodes()));
  numbering_ = std::make_unique<NodeNumbering>(model, *state_.halo);
  matrix_ = std::make_unique<StiffnessMatrix>(model.mesh, *numbering_, std::span<const CoupledNodes>(),
                                              std::span<const std::uint8_t>(), linked_nodes());
  obstacles_.rebuild();
  pattern_known_ = false;
  mass_.resize(static_cast<std::size_t>(layout().num_owned));
  for (std::size_t i = 0; i < mass_.size(); ++i)
    mass_[i] = state_.model.mass[static_cast<std::size_t>(numbering_->node(static_cast<LocalIndex>(i)))];
}

solvers::NewtonResult Equilibrium::solve(solvers::LinearSolver& solver, double t_end)
{
  const PhaseStopwatch watch(state_.measured.wall.solve);
  begin(t_end);
  solvers::NewtonResult result;
  if (inertia_)
    keep_accelerating();
  else if (!predict(solver, result))
    return result;
  const int iterations = result.linear_iterations;
  result = solvers::newton(*this, solver, scene_.solver.newton, u_);
  result.linear_iterations += iterations;
  return result;
}

solvers::PathResult Equilibrium::follow(solvers::PathSolver& solver, double most, double length)
{
  const PhaseStopwatch watch(state_.measured.wall.solve);
  const double t = state_.load_time();
  begin(t + most);
  std::vector<double> earlier(u_.size());
  for (std::size_t k = 0; k < earlier.size(); ++k) {
    const auto n = static_cast<std::size_t>(numbering_->node(static_cast<LocalIndex>(k / 3)));
    earlier[k] = start_.a[n].xyz()[static_cast<Eigen::Index>(k % 3)];
  }
  pattern_known_ = false;  // the solver of Newton's method does not see the patterns in between
  const solvers::PathResult result =
      solvers::follow_path(*this, solver, scene_.solver.newton, {t, most, length, earlier}, u_);
  pattern_known_ = false;
  return result;
}

void Equilibrium::remember_path()
{
  for (LocalIndex i = 0; i < layout().num_owned; ++i)
    state_.model.a[static_cast<std::size_t>(numbering_->node(i))].set_xyz(
        Vec3::Map(&u_[3 * static_cast<std::size_t>(i)]));
}

/// Targets count from where the step began.
void Equilibrium::prescribe(double t, std::span<double> u)
{
  element::Model& model = state_.model;
  model.p = start_.p;
  t_end_ = t;
  targets_ = prescribed_.targets(model, state_.load_time(), t - state_.load_time());
  for (const PrescribedMotion::Target& target : targets_) {
    const std::size_t i = 3 * static_cast<std::size_t>(numbering_->index(target.node));
    const Vec3 change = target.position - model.p[static_cast<std::size_t>(target.node)].xyz();
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (target.condition[axis] >= 0) u[i + axis] = change[static_cast<Eigen::Index>(axis)];
  }
}

/// The step begins in the present state. What is prescribed at its end goes into u_, the rest of which is 0.
void Equilibrium::begin(double t_end)
{
  element::Model& model = state_.model;
  t_end_ = t_end, dt_ = t_end - state_.load_time();
  bodies_.forget_pairs();
  least_restoring_rate_ = 0;
  compute_forces();
  start_ = {.p = model.p,
            .v = model.v,
            .a = model.a,
            .strain = {},
            .internal = internal_,
            .external = external_,
            .relief = {},
            .loads = loads_on_nodes_,
            .contact = contact_on_nodes_,
            .kinetic = kinetic_energy(),
            .elastic = elastic_energy(),
            .links = element::energy_of_links(model),
            .viscous_power = viscous_power_};
  obstacles_.begin(t_end_, dt_);
  const auto strain = model.blocks.plastic_blocks();
  start_.strain.assign(strain.begin(), strain.end());
  find_targets();
  relief_.clear();
  if (relieves()) apply_inertia_relief();
  start_.relief = relief_;
  find_round_off();
}

void Equilibrium::find_accelerations()
{
  t_end_ = state_.load_time(), dt_ = 0;
  find_targets();
  compute_forces();
  for (LocalIndex i = 0; i < layout().num_owned; ++i) {
    Vec3 a = Vec3::Zero();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t k = 3 * static_cast<std::size_t>(i) + axis;
      if (!fixed_[k]) a[static_cast<Eigen::Index>(axis)] = (internal_[k] + external_[k]) / mass_[k / 3];
    }
    state_.model.a[static_cast<std::size_t>(numbering_->node(i))].set_xyz(a);
  }
}

/// Begins the search with u_ as accelerations that stay what they are make it.
void Equilibrium::keep_accelerating()
{
  for (std::size_t k = 0; k < u_.size(); ++k) {
    const auto n = static_cast<std::size_t>(numbering_->node(static_cast<LocalIndex>(k / 3)));
    const auto axis = static_cast<Eigen::Index>(k % 3);
    const double a = start_.a[n].xyz()[axis];
    if (!fixed_[k]) u_[k] = inertia_->displacement(start_.v[n].xyz()[axis], a, a, dt_);
  }
}

void Equilibrium::undo()
{
  element::Model& model = state_.model;
  model.p = start_.p, model.v = start_.v, model.a = start_.a;
  restore_strain();
}

void Equilibrium::restore_strain()
{
  std::copy(start_.strain.begin(), start_.strain.end(), state_.model.blocks.plastic_blocks().begin());
}

double Equilibrium::time_error()
{
  if (!inertia_) return 0;
  double greatest = 0;
  for (std::size_t k = 0; k < u_.size(); ++k) {
    const auto n = static_cast<std::size_t>(numbering_->node(static_cast<LocalIndex>(k / 3)));
    const auto axis = static_cast<Eigen::Index>(k % 3);
    if (!fixed_[k])
      greatest =
          std::max(greatest, std::abs(inertia_->error(start_.a[n].xyz()[axis], state_.model.a[n].xyz()[axis], dt_)));
  }
  return std::max(state_.comm.max(greatest), obstacles_.time_error());
}

double Equilibrium::longest_step(double most) const
{
  const double by_obstacles = obstacles_.longest_step();
  if (!inertia_ || !bodies_.enabled()) return by_obstacles;
  std::vector<Row4> moves = state_.model.v;
  for (Row4& move : moves) move.set_xyz(most * move.xyz());
  return std::min(by_obstacles, most * bodies_.safe_share(state_.model.p, moves));
}

double Equilibrium::safe_share() const
{
  if (!bodies_.enabled()) return std::numeric_limits<double>::infinity();
  std::vector<Row4> moves(start_.p.size());
  for (std::size_t n = 0; n < moves.size(); ++n) moves[n].set_xyz(state_.model.p[n].xyz() - start_.p[n].xyz());
  return bodies_.safe_share(start_.p, moves);
}

}  // namespace sunder::simulation
