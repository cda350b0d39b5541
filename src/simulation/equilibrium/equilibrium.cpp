#include "simulation/equilibrium/equilibrium.hpp"

#include "core/stopwatch.hpp"
#include "element/cohesion.hpp"
#include "element/internal_forces.hpp"
#include "solvers/block_product.hpp"
#include "solvers/exact_dots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
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
  if (!changed && pattern_known_) return;
  prescribed_unknowns_ = fixed_ = std::move(now);
  pattern_known_ = false;
  hold_floating();
}

/// Without inertia, fragments that nothing holds get supports, which take no force once loads are relieved of their
/// inertia.
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
      floating_.size() > 1 ? fmt::format(" (and {} more fragments)", floating_.size() - 1) : "");
}

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
  if (!floating_.empty() && scene_.solver.floating == config::Floating::inertia_relief) apply_inertia_relief();
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
  const auto by_obstacles = obstacles_.find(at), by_bodies = bodies_.find();
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

/// External forces get the inertia of fragments that nothing holds. Supports have no part in those motions.
void Equilibrium::apply_inertia_relief()
{
  std::vector<double> forces(internal_.size());
  std::transform(internal_.begin(), internal_.end(), external_.begin(), forces.begin(), std::plus());
  const std::vector<double> before = forces;
  InertiaRelief(layout(), find_floating(layout(), positions(), prescribed_unknowns_), positions(), mass_).apply(forces);
  for (std::size_t k = 0; k < forces.size(); ++k) external_[k] += forces[k] - before[k];
}

double Equilibrium::force_scale()
{
  const auto [internal, external, inertial] =
      solvers::exact_dots(state_.comm, {{internal_, internal_}, {external_, external_}, {inertial_, inertial_}});
  return std::sqrt(std::max({internal, external, inertial}));
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

const solvers::BlockMatrix& Equilibrium::tangent(Tangent kind)
{
  assemble(kind);
  matrix_->fix(fixed_);
  return matrix_->matrix();
}

void Equilibrium::assemble(Tangent kind)
{
  const PhaseStopwatch watch(state_.measured.wall.solve);
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
