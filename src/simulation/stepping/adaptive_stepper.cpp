#include "simulation/stepping/adaptive_stepper.hpp"

#include "core/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sunder::simulation {
namespace {

/// The first implicit step, over the shortest that is worth its cost: with room to be shortened once or twice.
constexpr double first_step = 4;
/// After a crack no implicit step is tried for so many of the shortest ones that are worth their cost.
constexpr double rest = 2;

ExplicitStepper make_explicit(const config::Scene& scene, State& state, const RunState* from,
                              std::span<const partition::PairRecord> memory)
{
  return from ? ExplicitStepper(scene, state, *from, memory) : ExplicitStepper(scene, state);
}

}  // namespace

AdaptiveStepper::AdaptiveStepper(const config::Scene& scene, State& state, const RunState* from,
                                 std::span<const partition::PairRecord> memory)
  : scene_(scene),
    state_(state),
    explicit_(make_explicit(scene, state, from, memory)),
    implicit_(scene, state, from, EquilibriumStepper::Cracks::left_to_caller)
{
  if (from)
    phase_ = from->phase;
  else
    implicit_.set_step(first_step * shortest_implicit_step());
  if (phase_.implicit) {
    explicit_.release();
    pairs_.assign(memory.begin(), memory.end());
  } else {
    implicit_.release();
    state.model.a.clear();
  }
}

std::vector<partition::PairRecord> AdaptiveStepper::pair_memory() const
{
  return phase_.implicit ? pairs_ : explicit_.pair_memory();
}

void AdaptiveStepper::rebuild(std::span<const partition::PairRecord> memory)
{
  active().rebuild(memory);
  if (phase_.implicit) pairs_.assign(memory.begin(), memory.end());
}

void AdaptiveStepper::store(RunState& to) const
{
  explicit_.store(to);
  implicit_.store(to);
  to.phase = phase_;
}

/// [s]
double AdaptiveStepper::shortest_implicit_step() const noexcept
{
  return scene_.solver.switch_ratio * explicit_.step_size();
}

/// Does a pair exert a force? Faces of a crack may overlap without one.
bool AdaptiveStepper::bodies_touch() const
{
  const auto pairs = pair_memory();
  return state_.comm.sum(std::int64_t{std::any_of(
             pairs.begin(), pairs.end(), [](const auto& pair) { return pair.overlap > pair.initial_overlap; })}) > 0;
}

bool AdaptiveStepper::trial_due() const noexcept
{
  return !phase_.implicit && explicit_.at_sync_point() && state_.time >= phase_.next_trial;
}

double AdaptiveStepper::step_size() const noexcept
{
  return trial_due() ? first_step * shortest_implicit_step() : active().step_size();
}

void AdaptiveStepper::advance(double /*dt*/, double time_after)
{
  if (phase_.implicit)
    advance_implicit(time_after);
  else if (!trial_due() || !try_implicit(time_after))
    advance_explicit(time_after);
}

/// If no implicit step is worth its cost, an explicit one is taken.
void AdaptiveStepper::advance_implicit(double time_after)
{
  for (const double begin = state_.time; state_.time == begin;) {
    if (implicit_.step_size() < shortest_implicit_step()) {
      go_explicit(fmt::format("{} asks for implicit steps of {:.3g} s, which cost more than explicit ones",
                              implicit_.limit().kind, implicit_.step_size()));
      return advance_explicit(time_after);
    }
    implicit_.try_step(time_after);
  }
  exchange_requests(state_.comm);
  pairs_ = explicit_.update_overlaps(pairs_);
  explicit_.release();
  if (implicit_.found_failing())
    go_explicit("a node is at its threshold");
  else if (bodies_touch())
    go_explicit("bodies touch each other");
}

void AdaptiveStepper::advance_explicit(double time_after)
{
  const double left = time_after - state_.time, steps = std::max(1.0, std::ceil(left / explicit_.step_size()));
  const auto events = state_.events;
  explicit_.ask(asking());
  explicit_.advance(left / steps, steps == 1 ? time_after : state_.time + left / steps);
  all_ask(explicit_.asked());
  explicit_.answer();
  if (state_.events == events) return;
  phase_.wait = rest * shortest_implicit_step();
  phase_.next_trial = state_.time + phase_.wait;
}

void AdaptiveStepper::go_explicit(const std::string& why)
{
  implicit_.release();
  explicit_.begin_at_full_step(pairs_);
  state_.model.a.clear();
  const bool short_lived = state_.time - phase_.since < phase_.wait;
  phase_.wait = short_lived ? 2 * phase_.wait : rest * shortest_implicit_step();
  phase_.implicit = false, phase_.since = state_.time, phase_.next_trial = state_.time + phase_.wait;
  ++state_.measured.solves.switches;
  log_phase(fmt::format("explicit steps of {:.3g} s", explicit_.step_size()), why);
}

/// Returns false, and nothing has changed, if the step is not accurate enough or bodies touch each other.
bool AdaptiveStepper::try_implicit(double time_after)
{
  const bool touch = bodies_touch();
  if (!touch && implicit_step_taken(time_after)) {
    exchange_requests(state_.comm);
    log_phase("implicit steps", "they are accurate again");
    return true;
  }
  if (!touch) phase_.wait *= 2;
  phase_.next_trial = state_.time + phase_.wait;
  log_debug(fmt::format("step {}: no implicit steps before t = {:.6g} s: {}", state_.steps, phase_.next_trial,
                        touch ? "bodies touch each other" : "they are not accurate"));
  return false;
}

bool AdaptiveStepper::implicit_step_taken(double time_after)
{
  element::Model& model = state_.model;
  pairs_ = explicit_.pair_memory();
  explicit_.compute_forces();
  const std::vector<Row4> v = model.v, f = model.f;
  const std::vector<rigid::Motion> obstacles = state_.obstacle_motions;
  const double begin = state_.time, dt = state_.dt;
  explicit_.end_at_full_step();
  implicit_.begin(first_step * shortest_implicit_step());
  implicit_.try_step(time_after);
  if (state_.time > begin) {
    explicit_.release();
    phase_.implicit = true, phase_.since = begin;
    ++state_.measured.solves.switches;
    return true;
  }
  model.v = v, model.f = f, state_.obstacle_motions = obstacles, state_.dt = dt;
  implicit_.release();
  model.a.clear();
  return false;
}

void AdaptiveStepper::log_phase(const std::string& steps, const std::string& why) const
{
  log_info(fmt::format("step {}, t = {:.6g} s: {} from here: {}", state_.steps, state_.time, steps, why));
}

}  // namespace sunder::simulation
