#include "simulation/stepping/equilibrium_stepper.hpp"

#include "core/activity.hpp"
#include "core/log.hpp"
#include "core/stopwatch.hpp"
#include "element/cohesion.hpp"
#include "simulation/equilibrium/make_linear_solver.hpp"
#include "simulation/stepping/energies.hpp"
#include "simulation/stepping/record_splits.hpp"
#include "simulation/stepping/state_check.hpp"
#include "simulation/stepping/step_control.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::simulation {

using config::LoadControl;

namespace {

/// A load step is taken again with half its length at most so many times.
constexpr int most_halvings = 12;
/// After an event, loads go back so often in search of the threshold. They are mostly in proportion to it.
constexpr int most_unloadings = 8;
/// Of a step, that lets no element through another: motion is predicted, so it may be a little more than what is safe.
constexpr double far_enough = 0.5;
/// Under loads that are given, links may take this share of what they take in all, where dissipation is controlled.
constexpr double most_dissipated = 0.2;
/// Of a step along a path: as far as it is gone on to find a balance again.
constexpr double least_path = 0.1;
/// Newton's iterations from which on the next load step is shorter, and up to which it is longer.
constexpr std::size_t many_iterations = 10, few_iterations = 4;

std::optional<solvers::ImplicitScheme> scheme_of(const config::Scene& scene)
{
  using solvers::ImplicitScheme;
  if (scene.solver.method == config::Method::static_equilibrium) return std::nullopt;
  switch (scene.solver.scheme) {
    case config::ImplicitMethod::backward_euler:
      return ImplicitScheme::backward_euler();
    case config::ImplicitMethod::newmark:
      return ImplicitScheme::newmark();
    case config::ImplicitMethod::generalised_alpha:
      break;
  }
  return ImplicitScheme::generalised_alpha(scene.solver.spectral_radius);
}

/// For the end of a message. There is none if the first linear solve failed.
std::string history_of(const solvers::NewtonResult& result)
{
  constexpr std::ptrdiff_t most = 20;
  if (result.residuals.empty()) return "";
  const auto count = std::min(most, std::ssize(result.residuals));
  return fmt::format("; residuals, as shares of the forces: {}{:.2e}",
                     count < std::ssize(result.residuals) ? "... " : "",
                     fmt::join(result.residuals.end() - count, result.residuals.end(), " "));
}

/// Collective. What else there is to try where no balance is found; empty: nothing is known.
std::string advice(const config::Scene& scene, const State& state)
{
  const element::Model& model = state.model;
  if (state.comm.max(std::int64_t{!model.links.empty()}) == 0) return "";
  if (scene.solver.load_control != LoadControl::dissipation)
    return fmt::format(
        "; where cracks take energy a body may snap back: solver.load_control: dissipation follows it, "
        "with a time.end of {:.3g} s, say, as loads lag behind the clock",
        2 * scene.time.end);
  const double step = longest_step(scene);
  double zone = std::numeric_limits<double>::infinity();
  for (const material::Material& m : model.materials)
    if (m.cohesion.energy > 0) zone = std::min(zone, process_zone(m));
  for (const material::Interface& i : model.interfaces)
    if (i.cohesion.energy > 0) zone = std::min(zone, process_zone(i, model.materials[i.a], model.materials[i.b]));
  return fmt::format(
      "; another time.step may find one, {:.3g} or {:.3g} s for {:.3g} s, or a finer mesh: the zone in "
      "which a crack holds together is {:.3g} m long, elements are {:.3g} m",
      step / 2, 2 * step, step, zone, state.mesh_size);
}

}  // namespace

EquilibriumStepper::EquilibriumStepper(const config::Scene& scene, State& state, const RunState* from,
                                       std::span<const partition::PairRecord> memory, Cracks cracks)
  : scene_(scene),
    state_(state),
    prescribed_(scene.boundary, state.model.mesh),
    loads_(scene.loads, state.model.mesh),
    failure_(scene, state, 0),
    equilibrium_(scene, state, prescribed_, loads_, scheme_of(scene)),
    solver_(make_linear_solver(scene, state.comm)),
    dynamic_(scene.solver.method != config::Method::static_equilibrium),
    control_(dynamic_ ? LoadControl::time : scene.solver.load_control),
    follows_path_(control_ == LoadControl::arc_length || control_ == LoadControl::dissipation),
    cracks_(cracks)
{
  limit_ = {longest_step(scene_), dynamic_ ? "accuracy" : "load step"};
  if (from)
    limit_.seconds = from->next_step, path_rate_ = from->path_rate;
  else if (dynamic_ && scene.time.step == 0)
    limit_.seconds = std::min(limit_.seconds, crossing_time(state));
  if (!dynamic_) std::fill(state.model.v.begin(), state.model.v.end(), Row4{}), state.maximum_speed = 0;
  rebuild(memory);
  if (dynamic_) {
    if (!from) {
      equilibrium_.find_accelerations();
      limit_by_contact();
    }
  } else if (const auto problem = equilibrium_.floating_problem()) {
    throw AgreedError(config::message_key(scene, "solver") + ": static: " + *problem,
                      from ? ExitStatus::simulation_failed : ExitStatus::bad_input);
  }
}

double EquilibriumStepper::shortest_step() const
{
  return std::min(std::ldexp(longest_step(scene_), -most_halvings),
                  dynamic_ ? crossing_time(state_) / 100 : longest_step(scene_));
}

void EquilibriumStepper::rebuild(std::span<const partition::PairRecord> memory)
{
  list_conditions();
  if (element::cohesive(state_.model)) {
    element::mark_linked_nodes(state_.model);
    state_.halo->owners_to_ghosts(std::span<Row4>(state_.model.p));
  }
  equilibrium_.rebuild(memory);
}

void EquilibriumStepper::list_conditions()
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  prescribed_.find_prescribed_nodes(mesh);
  loads_.find_loaded_faces(mesh);
  failure_.resize();
}

void EquilibriumStepper::compute_forces()
{
  equilibrium_.compute_forces();
}

void EquilibriumStepper::advance(double /*dt*/, double time_after)
{
  const Stopwatch loop(state_.measured.loop_seconds);
  const ProcessorStopwatch stopwatch(spent_);
  const LongWork work("a step of equilibrium");
  exchange_requests(state_.comm);
  for (const double begin = state_.time; state_.time == begin;) try_step(time_after);
}

void EquilibriumStepper::try_step(double time_after)
{
  const double left = time_after - state_.time, steps = std::ceil(left / step_size());
  take_step(steps <= 1 ? time_after : state_.time + left / steps);
}

void EquilibriumStepper::begin(double first, std::span<const partition::PairRecord> memory)
{
  set_step(first);
  rebuild(memory);
  equilibrium_.find_accelerations();
  limit_by_contact();
}

/// To `time`, or nowhere: then limit_ is shorter.
void EquilibriumStepper::take_step(double time)
{
  const double dt = time - state_.time;
  const std::vector<LocalIndex> before = failing_already();
  const solvers::NewtonResult result = find_end(time);
  if (!result.converged) return halve(result, dt);
  const double ratio = failing_ratio(before), error = equilibrium_.time_error();
  if (too_long(dt, ratio, error)) return equilibrium_.undo();
  state_.time = time, state_.dt = dt;
  if (follows_path_) state_.load_lag = time - path_.t;
  if (control_ == LoadControl::arc_length) {
    equilibrium_.remember_path();
    if (path_rate_ == 0) path_rate_ = path_.length / dt;
  }
  equilibrium_.accept(dt);
  settle_links();
  ++state_.steps, state_.dt_min = std::min(state_.dt_min, dt);
  state_.measured.element_steps += state_.num_elements;
  state_.maximum_speed = greatest_speed(state_.model);
  log_debug(fmt::format("{}: residuals {:.1e}, {} linear iterations", step_name(), fmt::join(result.residuals, " "),
                        result.linear_iterations));
  fit_step(dt, result, error);
  found_failing_ = state_.comm.max(failure_.largest_ratio()) > 0;
  if (found_failing_ && cracks_ == Cracks::followed) crack();
}

/// The owned nodes that are over their threshold before the step: they could not be split, or bear less since links
/// beside them have opened. No step is too long for them. Looked for in each step, not taken from the end of the one
/// before: what is remembered beside the state would be unknown after a restart.
std::vector<LocalIndex> EquilibriumStepper::failing_already()
{
  if (!scene_.fracture.enabled || cracks_ == Cracks::left_to_caller) return {};
  equilibrium_.compute_forces();
  failing_ratio();
  return {failure_.failing().begin(), failure_.failing().end()};
}

/// The greatest v+ / tau of any rank in the state that was found, but for these nodes; 0 if no other fails.
double EquilibriumStepper::failing_ratio(std::span<const LocalIndex> but)
{
  if (!scene_.fracture.enabled) return 0;
  ProcessorTime spent;
  failure_.screen(spent);
  failure_.evaluate(spent);
  return state_.comm.max(failure_.largest_ratio(but));
}

/// Is a step too long for what it has found? Then limit_ says how long the next try is.
bool EquilibriumStepper::too_long(double dt, double ratio, double error)
{
  if (dt <= shortest_step()) return false;
  double share = 1;  // of dt
  // v+ grows with the load, which is often proportional to time: from nothing at the start of the run.
  const double onset = 1 + scene_.solver.onset_tolerance, begin = state_.load_time(), end = begin + dt;
  const double safe = equilibrium_.safe_share();
  if (safe < far_enough) share = std::clamp(safe, 0.1, 0.9);
  if (ratio > onset)
    share = std::min(share,
                     dynamic_ || follows_path_
                         ? 0.5
                         : std::clamp((end * (1 + scene_.solver.onset_tolerance / 2) / ratio - begin) / dt, 0.1, 0.9));
  if (control_ == LoadControl::dissipation && equilibrium_.dissipated_share() > most_dissipated)
    share = std::min(share, 0.5);
  if (error > error_allowed()) share = std::min(share, std::clamp(0.8 * std::cbrt(error_allowed() / error), 0.2, 0.8));
  if (share == 1) return false;
  limit_.seconds = share * dt;
  log_debug(fmt::format("step {} from t = {:.6g} s: {} with a step of {:.3g} s; taken again with {:.3g} s",
                        state_.steps + 1, state_.time,
                        ratio > onset             ? fmt::format("a node is at {:.3g} of its threshold", ratio)
                        : error > error_allowed() ? fmt::format("an error of {:.2g} m", error)
                                                  : "bodies may have gone through each other",
                        dt, limit_.seconds));
  return true;
}

/// A fixed step is not asked how large its error is.
double EquilibriumStepper::error_allowed() const
{
  return scene_.time.step > 0 ? std::numeric_limits<double>::infinity() : scene_.solver.accuracy * state_.mesh_size;
}

/// The next step is as long as Newton's effort and the error of this one suggest.
void EquilibriumStepper::fit_step(double dt, const solvers::NewtonResult& result, double error)
{
  const std::size_t iterations = result.residuals.size() - 1;
  double share = iterations >= many_iterations ? 1 / 1.5 : 1;
  if (dynamic_ ? iterations < many_iterations : iterations <= few_iterations) share = 1.5;
  if (error > 0) share = std::min(share, std::max(0.5, 0.8 * std::cbrt(error_allowed() / error)));
  // A step that an output time has cut short says nothing against the longer one.
  const double longer = share >= 1 ? std::max(limit_.seconds, share * dt) : share * dt;
  limit_.seconds = std::clamp(longer, std::min(dt, shortest_step()), longest_step(scene_));
  limit_by_contact();
}

void EquilibriumStepper::limit_by_contact()
{
  const double longest = equilibrium_.longest_step(limit_.seconds);
  const bool limits = longest < limit_.seconds;
  if (limits) limit_.seconds = longest;
  limit_.kind = limits ? "contact" : dynamic_ ? "accuracy" : "load step";
}

void EquilibriumStepper::halve(const solvers::NewtonResult& result, double dt)
{
  std::optional<Failure> problem;
  if (const LocalIndex e = equilibrium_.inverted(); e >= 0)
    problem = describe_inverted(state_, first_inverted(state_.model, e));
  const auto inverted = first_of(state_.comm, problem);
  equilibrium_.undo();
  const std::string why = result.inadmissible && inverted ? *inverted : result.reason;
  const std::string what = fmt::format("step {} from t = {:.6g} s", state_.steps + 1, state_.time);
  if (dt / 2 < shortest_step())
    throw StepFailed(fmt::format("{}: expected forces that balance, found none with a step of {:.3g} s: {}{}{}", what,
                                 dt, why, history_of(result), dynamic_ ? "" : advice(scene_, state_)));
  const std::string note =
      fmt::format("{}: no balance of forces with a step of {:.3g} s ({}); taken again with half of it", what, dt, why);
  cracks_ == Cracks::followed ? log_info(note) : log_debug(note);  // the caller may have other steps to take
  limit_.seconds = dt / 2;
}

/// Nodes over their threshold fail.
void EquilibriumStepper::crack()
{
  if (dynamic_) {
    if (split_nodes()) limit_.seconds = std::min(limit_.seconds, crossing_time(state_));
    return;
  }
  do {
    const std::vector<LocalIndex> before(failure_.failing().begin(), failure_.failing().end());
    if (!split_nodes()) return;
    find_equilibrium_again(state_.load_time());
    if (control_ == LoadControl::crack) unload(before);
  } while (failing_ratio() > 0);
}

/// Loads go back until no node fails, but for those that failed before the event and may be impossible to split.
void EquilibriumStepper::unload(std::span<const LocalIndex> but)
{
  for (int k = 0; k < most_unloadings; ++k) {
    const double ratio = failing_ratio(but);
    if (ratio == 0) return;
    const double load_time = state_.load_time() * (1 - scene_.solver.onset_tolerance / 2) / ratio;
    log_debug(fmt::format("{}: a node is at {:.3g} of its threshold; loads go back to those of {:.6g} s", step_name(),
                          ratio, load_time));
    find_equilibrium_again(load_time);
    state_.load_lag = state_.time - load_time;
  }
}

/// Under the loads of `load_time`, after a crack. What elastic energy that lets go of is lost to the ledger's numerical
/// work.
void EquilibriumStepper::find_equilibrium_again(double load_time)
{
  constexpr const char* half_way = "; the state that is stored has the crack of this step, and does not balance";
  if (const auto problem = equilibrium_.floating_problem())
    throw StepFailed(step_name() + ": after a crack: " + *problem + half_way);
  const auto stored = [this] {
    const Account now = account();
    return now.elastic + now.links + now.work.plastic - now.work.external - now.potential;
  };
  const double before = stored();
  solvers::NewtonResult result = solve(load_time);
  if (!result.converged && control_ == LoadControl::dissipation) {  // a crack may have to unload the body as it opens
    equilibrium_.undo();
    result = dissipate(least_path * state_.dt);
    if (result.converged) state_.load_lag = state_.time - path_.t;
  }
  if (!result.converged) {
    equilibrium_.undo();
    throw StepFailed(fmt::format("{}: expected an equilibrium after a crack, found none: {}{}{}{}", step_name(),
                                 result.reason, history_of(result), half_way, advice(scene_, state_)));
  }
  equilibrium_.accept(state_.dt);
  state_.ledger.work.numerical += before - stored();
  settle_links();
}

/// What the last links let go of has to be held by something else.
void EquilibriumStepper::settle_links()
{
  if (!equilibrium_.settle_links() || dynamic_) return;
  if (const auto problem = equilibrium_.floating_problem())
    throw StepFailed(step_name() + ": after links have broken: " + *problem);
}

std::string EquilibriumStepper::step_name() const
{
  return fmt::format("step {}, t = {:.6g} s", state_.steps, state_.time);
}

bool EquilibriumStepper::split_nodes()
{
  const PhaseStopwatch watch(state_.measured.wall.remesh);
  const bool step_by_step = control_ == LoadControl::crack;
  // A node made on an edge gets what is between both ends, one of which may be of another rank.
  if (!state_.model.a.empty()) state_.halo->owners_to_ghosts(std::span<Row4>(state_.model.a));
  const auto result = step_by_step ? failure_.crack_one_round() : failure_.crack();
  if (!result) return false;
  record_splits(state_, result->splits, result->elements_more);
  list_conditions();
  equilibrium_.rebuild_after_cut(origins_of(result->lineage));
  return true;
}

Account EquilibriumStepper::account() const
{
  const double obstacles = state_.comm.rank() == 0 ? kinetic_energy_of_obstacles(state_) : 0;
  return {state_.ledger.work, equilibrium_.kinetic_energy() + obstacles, equilibrium_.elastic_energy(),
          potential_of_gravity(state_, scene_.gravity), element::energy_of_links(state_.model)};
}

std::vector<double> EquilibriumStepper::element_costs() const
{
  const double elements = static_cast<double>(std::max<GlobalIndex>(1, state_.num_elements));
  return std::vector<double>(static_cast<std::size_t>(state_.model.mesh.num_slots()),
                             state_.comm.sum(spent_) / elements);
}

}  // namespace sunder::simulation
