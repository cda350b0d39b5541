#include "simulation/stepping/explicit_stepper.hpp"

#include "core/error.hpp"
#include "core/reduction.hpp"
#include "core/stopwatch.hpp"
#include "element/cohesion.hpp"
#include "element/internal_forces.hpp"
#include "simulation/fragments/fragment_history.hpp"
#include "simulation/stepping/dust.hpp"
#include "simulation/stepping/energies.hpp"
#include "simulation/stepping/record_splits.hpp"
#include "simulation/stepping/state_check.hpp"
#include "solvers/explicit_step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace sunder::simulation {
namespace {

using Flag = StepReduction::Flag;
using ListState = Contacts::ListState;

/// Between two checks of failure [s].
double check_interval(const config::Scene& scene, const State& state)
{
  return scene.fracture.check_interval >= 0 ? scene.fracture.check_interval : crossing_time(state) / 10;
}

}  // namespace

ExplicitStepper::ExplicitStepper(const config::Scene& scene, State& state, Unbuilt)
  : scene_(scene),
    state_(state),
    prescribed_(scene.boundary, state.model.mesh),
    loads_(scene.loads, state.model.mesh),
    control_(scene, state),
    contacts_(scene, state, control_),
    local_steps_(scene, state, control_, prescribed_, contacts_),
    failure_(scene, state, check_interval(scene, state)),
    friction_(scene, state)
{
}

ExplicitStepper::ExplicitStepper(const config::Scene& scene, State& state) : ExplicitStepper(scene, state, Unbuilt())
{
  rebuild({});
  fit_step_to_speed();
}

void ExplicitStepper::fit_step_to_speed()
{
  state_.maximum_speed = std::max(state_.maximum_speed, greatest_speed(state_.model));
  reduction_.clear();
  reduction_.set_step_ratio(control_.step_ratio({state_.comm.max(contacts_.fastest())}));
  control_.set_halvings(reduction_.halvings(), demand());
}

void ExplicitStepper::begin_at_full_step(std::span<const partition::PairRecord> memory)
{
  rebuild(memory);
  fit_step_to_speed();
  state_.dt = 0;  // half of a step's work of loads is counted with forces at its end: there was no step
  compute_forces();
  state_.dt = step_size();
  kick(-velocity_lag());
}

/// Free nodes and free obstacles get momentum for dt [s], from the current forces.
void ExplicitStepper::kick(double dt)
{
  element::Model& model = state_.model;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const auto i = static_cast<std::size_t>(n);
    if (owned_[i] == 0) continue;
    Vec3 v = model.v[i].xyz();
    const auto held = prescribed_.prescribed_axes(model.mesh.node(n).marks, state_.time);
    const Vec3 change = dt * (model.f[i].xyz() / model.mass[i] + scene_.gravity);
    for (int axis = 0; axis < 3; ++axis)
      if (!held[static_cast<std::size_t>(axis)]) v[axis] += change[axis];
    model.v[i].set_xyz(v);
  }
  state_.halo->owners_to_ghosts(std::span<Row4>(model.v));
  contacts_.kick_obstacles(dt);
}

ExplicitStepper::ExplicitStepper(const config::Scene& scene, State& state, const RunState& from,
                                 std::span<const partition::PairRecord> memory)
  : ExplicitStepper(scene, state, Unbuilt())
{
  control_.restore(from.control);
  failure_.restore(from.next_check, from.warned_of_rounds);
  warned_of_inversion_ = from.warned_of_inversion;
  rebuild(memory);
}

void ExplicitStepper::store(RunState& to) const
{
  to.control = control_.stored();
  to.next_check = failure_.next_check();
  to.warned_of_inversion = warned_of_inversion_, to.warned_of_rounds = failure_.warned();
}

void ExplicitStepper::rebuild(std::span<const partition::PairRecord> memory)
{
  rebuild_lists();
  if (element::cohesive(state_.model)) {
    element::mark_linked_nodes(state_.model);
    state_.halo->owners_to_ghosts(std::span<Row4>(state_.model.p));
  }
  contacts_.rebuild(memory);
  local_steps_.rebuild();
}

void ExplicitStepper::rebuild_lists()
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  owned_.clear();
  note_new_nodes();
  prescribed_.find_prescribed_nodes(mesh);
  loads_.find_loaded_faces(mesh);
  forces_current_ = false;
}

/// After a crack. changed: slots, ascending.
void ExplicitStepper::update_lists(std::span<const LocalIndex> changed)
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  note_new_nodes();
  prescribed_.add_new_nodes(mesh);
  loads_.update_loaded_faces(mesh, changed);
  forces_current_ = false;
}

void ExplicitStepper::note_new_nodes()
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  for (auto n = static_cast<LocalIndex>(owned_.size()); n < mesh.num_nodes(); ++n) owned_.push_back(mesh.owned(n));
  failure_.resize();
}

bool ExplicitStepper::at_sync_point() const noexcept
{
  return state_.steps > 0 && !forces_current_ && contacts_.at_sync_point();
}

void ExplicitStepper::compute_forces()
{
  compute_unfiltered_forces();
  if (control_.local_steps())
    local_steps_.foresee(state_.dt);
  else
    friction_.look(contacts_, step_size());
}

void ExplicitStepper::compute_unfiltered_forces()
{
  if (forces_current_) return;
  const Stopwatch loop(state_.measured.loop_seconds);
  add_internal_forces();
  ++forces_computed_;
  failure_.screen(spent_);
  local_steps_.tell_pairs();
  contacts_.add_forces(step_size(), spent_);
  loads_.add_forces(state_.model.p, state_.time, state_.model.f);
  add_forces_of_links();  // the last: new ones begin with what holds their nodes together now
  count_work_of_loads(state_.dt);
  forces_current_ = true;
}

void ExplicitStepper::add_internal_forces()
{
  const PhaseStopwatch watch(state_.measured.wall.forces);
  const ProcessorStopwatch stopwatch(spent_.on_elements);
  element::Model& model = state_.model;
  std::fill(model.f.begin(), model.f.end(), Row4{});
  const auto bounds = failure_.due() ? element::Bounds::summed : element::Bounds::left_out;
  const auto sums = element::add_internal_forces(model.blocks, model.materials, model.p, model.v, model.f, bounds);
  viscous_power_ = sums.viscous_power;
  stiffening_ = sums.stiffening;
  state_.ledger.work.plastic += sums.plastic_work;
  inverted_ = sums.min_stretch <= 0 ? sums.min_stretch_element : -1;
  if (inverted_ >= 0 && !warned_of_inversion_) inverted_ = first_inverted(model, inverted_);  // to be named
}

void ExplicitStepper::add_forces_of_links()
{
  if (state_.model.links.empty()) return;
  const PhaseStopwatch watch(state_.measured.wall.forces);
  const ProcessorStopwatch stopwatch(spent_.on_links);
  element::add_cohesive_forces(state_.model);
}

/// Before nodes move and go to other ranks, marks of links with them.
void ExplicitStepper::settle_links()
{
  lost_links_.clear();
  if (state_.model.links.empty()) return;
  const PhaseStopwatch watch(state_.measured.wall.forces);
  const ProcessorStopwatch stopwatch(spent_.on_links);
  element::SpentLinks spent = element::settle_links(state_.model);
  std::vector<fracture::NodeCopy> apart;
  for (const auto& [plus, minus] : spent.loosened) apart.push_back({plus, minus});
  reduction_.set(Flag::loosened, may_have_come_apart(state_.model, apart));
  reduction_.set(Flag::dropped_links, spent.count);
  lost_links_ = std::move(spent.nodes);
  EnergyLedger& ledger = state_.ledger;
  ledger.work.surface += spent.absorbed, ledger.work.contact += spent.pressed;
  ledger.broken_links += spent.count, ledger.broken_surface += spent.surface_energy;
}

void ExplicitStepper::advance(double dt, double time_after)
{
  compute_unfiltered_forces();
  const Stopwatch loop(state_.measured.loop_seconds);
  state_.dt = dt;
  reduction_.clear();
  reduction_.set(Flag::failing, failure_.evaluate(spent_));
  loads_.add_impulses(state_.model.p, state_.time, dt, state_.reactions.loads);
  filter_forces(dt);
  settle_links();
  move_nodes(dt);
  fill_reduction(dt, time_after);
  exchange(dt);
  throw_if_meaningless();
  count_work(dt);
  contacts_.move_obstacles(dt);
  state_.time = time_after, ++state_.steps, state_.dt_min = std::min(state_.dt_min, dt);
  state_.measured.element_steps += state_.num_elements;
  forces_current_ = false;
  control_.count_step();
  control_.set_halvings(reduction_.halvings(), demand());
  if (reduction_.any(Flag::checkpoint)) all_ask(Request::checkpoint);
  if (reduction_.any(Flag::stop)) all_ask(Request::stop);
  if (reduction_.any(Flag::dropped_links)) local_steps_.update({}, lost_links_);
  if (reduction_.any(Flag::failing)) crack();
  if (reduction_.any(Flag::loosened)) follow_loosened();
  contacts_.finish_step(reduction_.any(Flag::expired_pairs)   ? ListState::expired
                        : reduction_.any(Flag::strayed_pairs) ? ListState::strayed
                                                              : ListState::holds);
}

/// What light elements do between two steps of the others goes into the forces.
void ExplicitStepper::filter_forces(double dt)
{
  if (!control_.local_steps()) return;
  const ProcessorStopwatch stopwatch(spent_.on_elements);
  local_steps_.filter_forces(dt);
  state_.ledger.work.numerical -= local_steps_.half_of_work(dt);
  state_.ledger.work.viscous += local_steps_.half_of_viscous_work(dt);
}

void ExplicitStepper::move_nodes(double dt)
{
  const PhaseStopwatch watch(state_.measured.wall.solve);
  const ProcessorStopwatch stopwatch(spent_.on_elements);
  element::Model& model = state_.model;
  prescribed_.before_step(model);
  const double speed =
      solvers::explicit_step(scene_.time.scheme, dt, scene_.gravity, owned_, model.mass, model.f, model.p, model.v);
  state_.maximum_speed = std::max(speed, prescribed_.after_step(model, state_.time, dt, state_.reactions.boundary));
}

void ExplicitStepper::fill_reduction(double dt, double time_after)
{
  reduction_.set(Flag::not_a_number, std::isnan(state_.maximum_speed));
  reduction_.set(Flag::inverted, inverted_ >= 0);
  reduction_.set(Flag::checkpoint, asking() == Request::checkpoint);
  reduction_.set(Flag::stop, asking() == Request::stop);
  const ListState pairs = contacts_.list_state(time_after, dt);
  reduction_.set(Flag::strayed_pairs, pairs == ListState::strayed);
  reduction_.set(Flag::expired_pairs, pairs == ListState::expired);
  reduction_.set_step_ratio(control_.step_ratio(demand()));
}

void ExplicitStepper::exchange(double dt)
{
  reduction_.start(state_.comm, contacts_.resultants());
  const PhaseStopwatch watch(state_.measured.wall.halo);
  element::Model& model = state_.model;
  contacts_.start_exchange();
  state_.halo->owners_to_ghosts(std::span<Row4>(model.p), std::span<Row4>(model.v));
  contacts_.finish_exchange(dt);
  // Contact relies on a bound of the speed of every node held; a ghost's is known only now.
  for (const partition::Neighbour& neighbour : state_.halo->neighbours())
    for (const LocalIndex g : neighbour.ghosts)
      state_.maximum_speed = std::max(state_.maximum_speed, model.v[static_cast<std::size_t>(g)].xyz().norm());
  reduction_.finish(contacts_.resultants());
  state_.measured.halo_bytes += static_cast<double>(state_.halo->bytes_per_exchange());
}

void ExplicitStepper::count_work(double dt)
{
  Work& work = state_.ledger.work;
  work.viscous += viscous_power_ * dt;
  work.contact -= contacts_.work(dt);
  work.external += prescribed_.work() - prescribed_work_;
  prescribed_work_ = prescribed_.work();
  count_work_of_loads(dt);
  work.numerical -= local_steps_.half_of_work(dt);
  work.viscous -= local_steps_.half_of_viscous_work(dt);
}

/// Half of a step's: once with the forces it began with, once with those it ended with.
void ExplicitStepper::count_work_of_loads(double dt)
{
  state_.ledger.work.external += dt / 2 * loads_.power(state_.model.v);
}

void ExplicitStepper::throw_if_meaningless()
{
  constexpr ExitStatus failed = ExitStatus::simulation_failed;
  if (reduction_.any(Flag::not_a_number)) throw_on_all(state_.comm, find_not_a_number(state_), failed);
  if (!reduction_.any(Flag::inverted)) return;
  std::optional<Failure> problem;
  if (inverted_ >= 0) problem = describe_inverted(state_, inverted_);
  if (scene_.time.inverted == "stop") throw_on_all(state_.comm, problem, failed);
  if (!std::exchange(warned_of_inversion_, true)) warn(state_, *first_of(state_.comm, problem));
}

void ExplicitStepper::crack()
{
  const PhaseStopwatch watch(state_.measured.wall.remesh);
  const auto result = failure_.crack();
  if (!result) return;
  update_lists(result->elements);
  const bool dust = scene_.fracture.dust > 0;
  CrackAgreement agreement{dust && lacks_mass(state_, control_, result->elements),
                           contacts_.follow_crack(*result, origins_of(result->lineage)),
                           control_.least_step(result->elements)};
  const bool came_off = record_splits(state_, result->splits, result->elements_more, agreement);
  if (!(came_off || agreement.lacks_mass) || !add_mass_to_dust()) {
    control_.tighten_limit(agreement.least_step, state_.steps);
    local_steps_.update(result->elements, result->nodes);
  }
  contacts_.finish_crack(agreement.list_expired);  // sends velocities to other ranks' contacts
}

/// Collective. Fragments come off where links have broken, too.
void ExplicitStepper::follow_loosened()
{
  if (!follow_fragments(state_) || !add_mass_to_dust()) return;
  contacts_.start_exchange();  // dust that gets mass gets slower
  contacts_.finish_exchange(0);
}

/// Collective. Returns whether something got mass; then the step has a new limit.
bool ExplicitStepper::add_mass_to_dust()
{
  if (!(scene_.fracture.dust > 0)) return false;
  if (!simulation::add_mass_to_dust(state_, control_, scene_.fracture.dust, scene_.gravity)) return false;
  control_.renew_limit(state_.steps);
  state_.dust.limit_with = control_.limit().seconds;
  local_steps_.rebuild();
  return true;
}

/// How far velocities are behind positions [s]: those of the symplectic scheme live at half steps.
double ExplicitStepper::velocity_lag() const
{
  return scene_.time.scheme == solvers::ExplicitScheme::symplectic && state_.steps > 0 ? 0.5 * state_.dt : 0;
}

Account ExplicitStepper::account() const
{
  SUNDER_ASSERT(forces_current_);
  const element::Model& model = state_.model;
  Account account{state_.ledger.work, kinetic_energy(state_, prescribed_, scene_.gravity, velocity_lag()),
                  element::elastic_energy(model.blocks, model.materials, model.p),
                  potential_of_gravity(state_, scene_.gravity), element::energy_of_links(model)};
  account.work.external += prescribed_.work_ahead(model, scene_.gravity, velocity_lag(), state_.time);
  const double filtered = local_steps_.work_ahead(velocity_lag());
  account.kinetic += filtered, account.work.numerical -= filtered;
  account.work.viscous += velocity_lag() * viscous_power_, account.work.contact -= velocity_lag() * contacts_.power();
  return account;
}

void ExplicitStepper::release()
{
  reset_processor_time();  // what has been done is counted while elements and pairs are there to be counted
  contacts_.release();
}

void ExplicitStepper::reset_processor_time()
{
  earlier_.add(recent_work());
  spent_ = {}, forces_computed_ = 0;
  evaluated_before_ = local_steps_.held_evaluations();
  failure_.forget_evaluations();
  contacts_.reset_processor_time();
}

/// Of this rank, since the last reset.
WorkDone ExplicitStepper::recent_work() const
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  const auto evaluations = failure_.evaluations();
  std::int64_t elements = 0;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) elements += mesh.alive(e);
  const auto pairs = contacts_.pair_work();
  const auto steps = static_cast<double>(forces_computed_);
  const auto more = static_cast<double>(local_steps_.held_evaluations() - evaluated_before_);
  return {{steps * static_cast<double>(elements) + more, spent_.on_elements},
          {std::accumulate(evaluations.begin(), evaluations.end(), 0.0), spent_.on_failing},
          {steps * static_cast<double>(state_.model.links.size()), spent_.on_links},
          {steps * pairs.listed, pairs.seconds.listed},
          {pairs.touching, pairs.seconds.touching},
          {pairs.searched, pairs.seconds.searching}};
}

/// What an element, an evaluated node, a link or a pair costs is the same everywhere: ranks differ in how many they
/// have. The rates are those of all ranks since the run began, so that a clock that was slow for a while hardly changes
/// them.
std::vector<double> ExplicitStepper::element_costs() const
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  WorkDone done = earlier_;
  done.add(recent_work());
  Reduction all;
  for (Effort* kind : {&done.elements, &done.failing, &done.links, &done.listed, &done.touching, &done.searched})
    all.sum(kind->amount, kind->seconds);
  all.over(state_.comm);
  const auto steps = static_cast<double>(forces_computed_);
  std::vector<double> costs(static_cast<std::size_t>(mesh.num_slots()), steps * done.elements.rate());
  if (control_.local_steps())
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      costs[static_cast<std::size_t>(e)] *= local_steps_.evaluations_of(e);
  const auto evaluations = failure_.evaluations();
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    const auto times = static_cast<double>(evaluations[static_cast<std::size_t>(n)]);
    if (times == 0) continue;
    const auto star = mesh.star(n);
    for (const LocalIndex e : star)
      costs[static_cast<std::size_t>(e)] += times * done.failing.rate() / static_cast<double>(star.size());
  }
  for (const element::ModelLink& link : state_.model.links)
    costs[static_cast<std::size_t>(element::element_of_axes(state_.model, link))] += steps * done.links.rate();
  contacts_.add_costs({steps * done.listed.rate(), done.touching.rate(), done.searched.rate()}, costs);
  return costs;
}

LocalStepCounts ExplicitStepper::local_step_counts() const
{
  return {control_.local_steps(), local_steps_.counts(), local_steps_.evaluations(), local_steps_.evaluations_a_step()};
}

StepControl::Demand ExplicitStepper::demand() const
{
  return {contacts_.fastest(), stiffening_};
}

}  // namespace sunder::simulation
