#include "simulation/simulation.hpp"

#include "contact/law/penalty.hpp"
#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "element/internal_forces.hpp"
#include "fracture/candidates.hpp"
#include "fracture/crack.hpp"
#include "simulation/diagnostics/observe.hpp"
#include "solvers/explicit_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sunder::simulation {
namespace {

std::vector<double> moduli(const std::vector<material::Material>& materials)
{
  std::vector<double> result;
  for (const auto& m : materials) result.push_back(m.p_wave_modulus());
  return result;
}

/// Each element made in a step with the one it was part of before the step.
contact::Origins origins_of(const std::vector<fracture::Lineage>& lineage)
{
  contact::Origins origins;
  for (const auto& [made, parent] : lineage) {
    const auto older = origins.find(parent);
    origins.try_emplace(made, older == origins.end() ? parent : older->second);
  }
  return origins;
}

/// The element turned inside out that has the smallest id, so that all ranks name the same one; `found` is one of them.
LocalIndex first_inverted(const element::Model& model, LocalIndex found)
{
  const mesh::TetMesh& mesh = model.mesh;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e) || mesh.element_id(e) >= mesh.element_id(found)) continue;
    const Mat3 F = model.positions(e) * model.blocks.gradients(e).transpose();
    if (!(F.determinant() > 0)) found = e;
  }
  return found;
}

}  // namespace

/// What a step tells all ranks in its one reduction: counts over ranks, then the digits of the reactions on free
/// obstacles.
struct Simulation::Flags {
  static constexpr std::size_t failing = 0, not_a_number = 1, inverted = 2, stale_pairs = 3, checkpoint = 4, stop = 5,
                               too_long = 6;
  /// too_long + k: the step would have to be halved more than k times.
  static constexpr std::size_t count = too_long + StepControl::most_halvings + 1;
  std::vector<std::int64_t> values = std::vector<std::int64_t>(count, 0);
  std::int64_t operator[](std::size_t k) const { return values[k]; }

  void set_step_ratio(double step_ratio)
  {
    for (std::size_t k = 0; too_long + k < count; ++k) values[too_long + k] = step_ratio > std::exp2(k);
  }
  int halvings() const
  {
    return static_cast<int>(
        std::count_if(values.begin() + too_long, values.begin() + count, [](auto n) { return n > 0; }));
  }
};

Simulation::Simulation(const Comm& comm, config::Scene scene) : Simulation(comm, std::move(scene), nullptr) {}

Simulation::Simulation(const Comm& comm, config::Scene scene, RestartState& from)
  : Simulation(comm, std::move(scene), &from)
{
}

Simulation::Simulation(const Comm& comm, config::Scene scene, RestartState* from)
  : comm_(comm),
    scene_(std::move(scene)),
    memory_at_start_(resident_bytes()),
    problem_([this, from] {
      const Stopwatch watch(wall_.setup);
      const ReleaseAsFreed frugal;
      return from ? set_up(comm_, scene_, *from) : set_up(comm_, scene_);
    }()),
    prescribed_(scene_.boundary, problem_.model.mesh),
    loads_(scene_.loads, problem_.model.mesh),
    contact_(problem_.obstacles, scene_.collisions.criterion),
    control_(comm_, scene_, problem_),
    reactions_(problem_.obstacles),
    num_elements_(problem_.num_elements)
{
  for (const auto& obstacle : problem_.obstacles) obstacle_states_.push_back(rigid::prescribed_state(obstacle, 0));
  check_interval_ = scene_.fracture.check_interval >= 0 ? scene_.fracture.check_interval : crossing_time(problem_) / 10;
  if (from) restore(from->state);
  adopt(from ? std::span<const partition::PairRecord>(from->bodies.pairs) : std::span<const partition::PairRecord>());
  if (from) return;
  for (const Row4& v : problem_.model.v) fastest_ = std::max(fastest_, v.xyz().norm());
  Flags flags;
  flags.set_step_ratio(control_.step_ratio({comm_.max(fastest())}));
  halve(flags);
}

/// The bodies are new to this rank, all of them.
void Simulation::adopt(std::span<const partition::PairRecord> memory)
{
  if (scene_.collisions.enabled)
    collisions_.emplace(comm_, scene_.collisions.response, moduli(problem_.model.materials),
                        scene_.collisions.criterion);
  primary_.clear();
  std::vector<LocalIndex> all(static_cast<std::size_t>(problem_.model.mesh.num_slots()));
  std::iota(all.begin(), all.end(), 0);
  mesh_changed(all);
  if (collisions_) collisions_->restore(memory);
}

void Simulation::halve(const Flags& flags)
{
  control_.set_halvings(flags.halvings(), {fastest(), stiffening_}, fmt::format("step {}, t = {:.6g} s", step_, time_),
                        step_ == 0 ? ExitStatus::bad_input : ExitStatus::simulation_failed);
}

double Simulation::fastest() const noexcept
{
  if (!collisions_ && obstacle_states_.empty()) return 0;  // nothing to pass through
  double speed = fastest_;
  for (std::size_t k = 0; k < obstacle_states_.size(); ++k)
    speed = std::max(speed, rigid::greatest_speed(problem_.obstacles[k], obstacle_states_[k]));
  return speed;
}

void Simulation::mesh_changed(std::span<const LocalIndex> elements, contact::Origins origins)
{
  const mesh::TetMesh& mesh = problem_.model.mesh;
  primary_.resize(static_cast<std::size_t>(mesh.num_slots()));
  for (const LocalIndex e : elements) primary_[static_cast<std::size_t>(e)] = mesh.primary(e);
  owned_.resize(static_cast<std::size_t>(mesh.num_nodes()));
  evaluated_.resize(static_cast<std::size_t>(mesh.num_nodes()), 0);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) owned_[static_cast<std::size_t>(n)] = mesh.owned(n);
  prescribed_.mesh_changed(mesh);
  loads_.mesh_changed(mesh);
  contact_.mesh_changed();
  if (collisions_) {
    const Stopwatch watch(wall_.contact);
    collisions_->mesh_changed(mesh, *problem_.halo, elements, std::move(origins));
    refresh_pairs();
  }
  forces_current_ = false;
}

void Simulation::refresh_pairs()
{
  const LongWork work("the search for pairs");
  const element::Model& model = problem_.model;
  collisions_->refresh(model.mesh, *problem_.halo, model.p, model.v, problem_.mesh_size,
                       std::max(step_size(), control_.overlap_interval()));
  overlaps_due_ = true;
}

void Simulation::compute_contact(double dt)
{
  contact_power_ = 0;
  reactions_.clear();
  const Stopwatch watch(wall_.contact);
  element::Model& model = problem_.model;
  if (!reactions_.empty()) {
    const ProcessorStopwatch work(spent_on_elements_);
    contact_power_ = contact_.add_forces(model.mesh.tets(), primary_, model.p, model.v, fastest_, dt, obstacle_states_,
                                         model.f, reactions_);
  }
  if (collisions_) {
    if (std::exchange(overlaps_due_, false)) {
      next_overlaps_ = time_ + control_.overlap_interval();
      collisions_->find_overlaps(model.p, model.v, std::max(dt, control_.overlap_interval()));
    }
    contact_power_ += collisions_->add_forces(model.p, model.v, model.f);
  }
}

void Simulation::compute_forces()
{
  if (forces_current_) return;
  const Stopwatch loop(loop_seconds_);
  element::Model& model = problem_.model;
  {
    const Stopwatch watch(wall_.forces);
    const ProcessorStopwatch work(spent_on_elements_);
    std::fill(model.f.begin(), model.f.end(), Row4{});
    const auto sums = element::add_internal_forces(model.blocks, model.materials, model.p, model.v, model.f);
    viscous_power_ = sums.viscous_power;
    ledger_.work.plastic += sums.plastic_work;
    stiffening_ = sums.stiffening;
    inverted_ = sums.min_stretch <= 0 ? sums.min_stretch_element : -1;
    if (inverted_ >= 0 && !warned_of_inversion_) inverted_ = first_inverted(model, inverted_);  // to be named
  }
  screened_.clear();
  if (scene_.fracture.enabled && time_ >= next_check_) {
    next_check_ = time_ + check_interval_;
    const Stopwatch watch(wall_.failure);
    const ProcessorStopwatch work(spent_on_elements_);
    fracture::screen(model, scene_.fracture.criterion, screened_);
  }
  compute_contact(step_size());
  loads_.add_forces(model.p, time_, model.f);
  count_work_of_loads();
  forces_current_ = true;
}

/// Half of a step's: once with the forces it began with, once with those it ended with.
void Simulation::count_work_of_loads()
{
  ledger_.work.external += dt_ / 2 * loads_.power(problem_.model.v);
}

void Simulation::advance(double dt, double time_after)
{
  compute_forces();
  element::Model& model = problem_.model;
  const Stopwatch loop(loop_seconds_);
  dt_ = dt;

  Flags flags;
  if (!screened_.empty()) {
    const Stopwatch watch(wall_.failure);
    const ProcessorStopwatch work(spent_on_failing_);
    fracture::Candidates candidates(scene_.fracture.criterion);
    candidates.evaluate(model, screened_);
    for (const LocalIndex n : screened_) ++evaluated_[static_cast<std::size_t>(n)];
    screened_.clear();
    for (const auto& [n, candidate] : candidates.failing()) screened_.push_back(n);
    flags.values[Flags::failing] = static_cast<std::int64_t>(screened_.size());
  }
  {
    const Stopwatch watch(wall_.solve);
    const ProcessorStopwatch work(spent_on_elements_);
    prescribed_.before_step(model);
    fastest_ =
        solvers::explicit_step(scene_.time.scheme, dt_, scene_.gravity, owned_, model.mass, model.f, model.p, model.v);
    fastest_ = std::max(fastest_, prescribed_.after_step(model, time_, dt_));
  }
  flags.values[Flags::not_a_number] = std::isnan(fastest_);
  flags.values[Flags::inverted] = inverted_ >= 0;
  flags.values[Flags::checkpoint] = asking_ == Request::checkpoint;
  flags.values[Flags::stop] = asking_ == Request::stop;
  flags.set_step_ratio(control_.step_ratio({fastest(), stiffening_}));
  if (collisions_ && time_after >= next_overlaps_) {
    const Stopwatch watch(wall_.contact);
    flags.values[Flags::stale_pairs] = collisions_->stale(model.p, dt_);
  }
  reactions_.append_digits(flags.values);
  MPI_Request request;
  mpi_check(MPI_Iallreduce(MPI_IN_PLACE, flags.values.data(), static_cast<int>(flags.values.size()), MPI_INT64_T,
                           MPI_SUM, comm_.mpi(), &request),
            "MPI_Iallreduce");
  {
    const Stopwatch watch(wall_.halo);
    if (collisions_) collisions_->start_exchange(model.p, model.v);
    problem_.halo->owners_to_ghosts(std::span<Row4>(model.p), std::span<Row4>(model.v));
    if (collisions_) collisions_->finish_exchange(dt_);
    // Contact trusts fastest_ to bound every node held; a ghost's speed is known only now.
    for (const partition::Neighbour& neighbour : problem_.halo->neighbours())
      for (const LocalIndex g : neighbour.ghosts)
        fastest_ = std::max(fastest_, model.v[static_cast<std::size_t>(g)].xyz().norm());
    mpi_check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    halo_bytes_ += static_cast<double>(problem_.halo->bytes_per_exchange());
  }
  fail(flags);
  ledger_.work.viscous += viscous_power_ * dt_;
  ledger_.work.contact -=
      (contact_power_ + contact_.power(model.v) + (collisions_ ? collisions_->power(model.v) : 0)) / 2 * dt_;
  ledger_.work.external += prescribed_.work() - prescribed_work_;
  prescribed_work_ = prescribed_.work();
  count_work_of_loads();
  reactions_.take_digits(std::span(flags.values).subspan(Flags::count));
  move_obstacles(dt_);
  time_ = time_after, ++step_, dt_min_ = std::min(dt_min_, dt_);
  element_steps_ += num_elements_;
  forces_current_ = false;
  halve(flags);
  if (flags[Flags::checkpoint] > 0) asked_ = std::max(asked_, Request::checkpoint);
  if (flags[Flags::stop] > 0) asked_ = Request::stop;
  if (flags[Flags::failing] > 0) fracture();
  if (collisions_ && time_ >= next_overlaps_) {
    if (flags[Flags::stale_pairs] > 0 && !overlaps_due_) refresh_pairs();  // else fracture has just had them listed
    overlaps_due_ = true;
  }
}

/// Every rank knows what all put on a free obstacle, and one keeps its account. Of what moves as it is told each keeps
/// that of its own elements.
void Simulation::move_obstacles(double dt)
{
  for (std::size_t k = 0; k < obstacle_states_.size(); ++k) {
    const auto [force, torque] = reactions_.on(k);
    const contact::Obstacle& obstacle = problem_.obstacles[k];
    rigid::State& state = obstacle_states_[k];
    if (obstacle.motion == rigid::Motion::free) {
      const double work = rigid::move_free(obstacle, force, torque, scene_.gravity, dt, state);
      if (comm_.rank() == 0) ledger_.work.contact -= work;
      continue;
    }
    const rigid::State before = state;
    state = rigid::prescribed_state(obstacle, time_ + dt);
    const double work = dt / 2 * (force.dot(before.velocity + state.velocity) + torque.dot(before.spin + state.spin));
    ledger_.work.contact -= work;
    ledger_.work.external -= work;
  }
}

void Simulation::fail(const Flags& flags)
{
  std::optional<Failure> problem;
  const mesh::TetMesh& mesh = problem_.model.mesh;
  if (flags[Flags::not_a_number] > 0) {
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
      const mesh::Node& node = mesh.node(n);
      if (!mesh.owned(n) || problem_.model.v[static_cast<std::size_t>(n)].xyz().allFinite()) continue;
      if (problem && problem->key < node.id.low) continue;
      note(problem, {fmt::format("step {}, t = {:.6g} s: node {} at material position ({:.4g}, {:.4g}, {:.4g}) m has a "
                                 "velocity that is not a number, expected a finite one; the step is {:.3g} s",
                                 step_, time_, node.id.low, node.X.x(), node.X.y(), node.X.z(), dt_),
                     node.id.low});
    }
    throw_on_all(comm_, problem, static_cast<int>(ExitStatus::simulation_failed));
  }
  if (flags[Flags::inverted] > 0) {
    if (inverted_ >= 0)
      problem = {fmt::format("step {}, t = {:.6g} s: element {} is turned inside out, expected det F > 0", step_, time_,
                             mesh.element_id(inverted_).low),
                 mesh.element_id(inverted_).low};
    if (scene_.time.inverted == "stop") throw_on_all(comm_, problem, static_cast<int>(ExitStatus::simulation_failed));
    if (!warned_of_inversion_) warn(*first_of(comm_, problem));
    warned_of_inversion_ = true;
  }
}

void Simulation::fracture()
{
  const Stopwatch watch(wall_.remesh);
  const fracture::CrackResult result = fracture::crack(problem_.model, *problem_.halo, screened_, scene_.fracture);
  const std::int64_t events = comm_.sum(result.events);
  events_ += events;
  ledger_.work.remeshing += result.kinetic_loss;
  if (result.unfinished && !warned_of_rounds_) {
    warn(fmt::format("step {}: nodes still failed after {} rounds; the rest waits for the next step", step_,
                     result.rounds));
    warned_of_rounds_ = true;
  }
  if (events == 0) return;  // nodes that fail but cannot be parted change nothing, and may do so at every look
  control_.mesh_changed(result.elements, step_);
  mesh_changed(result.elements, origins_of(result.lineage));
  std::int64_t mine = 0;
  for (const std::uint8_t c : primary_) mine += c;
  num_elements_ = comm_.sum(mine);
}

void Simulation::warn(const std::string& message)
{
  problem_.warnings.push_back(message);
  log_warning(message);
}

}  // namespace sunder::simulation
