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
    implicit_(scene, state, from, memory, EquilibriumStepper::Cracks::left_to_caller)
{
  if (from)
    phase_ = from->phase;
  else
    implicit_.set_step(first_step * shortest_implicit_step());
  if (phase_.implicit) {
    explicit_.release();
  } else {
    implicit_.release();
    state.model.a.clear();
  }
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
  if (implicit_.found_failing()) go_explicit("a node is at its threshold");
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
  const std::vector<partition::PairRecord> pairs = implicit_.pair_memory();
  implicit_.release();
  explicit_.begin_at_full_step(pairs);
  state_.model.a.clear();
  const bool short_lived = state_.time - phase_.since < phase_.wait;
  phase_.wait = short_lived ? 2 * phase_.wait : rest * shortest_implicit_step();
  phase_.implicit = false, phase_.since = state_.time, phase_.next_trial = state_.time + phase_.wait;
  ++state_.measured.solves.switches;
  log_phase(fmt::format("explicit steps of {:.3g} s", explicit_.step_size()), why);
}

/// Returns false, and nothing has changed, if the step is not accurate enough.
bool AdaptiveStepper::try_implicit(double time_after)
{
  if (implicit_step_taken(time_after)) {
    exchange_requests(state_.comm);
    log_phase("implicit steps", "they are accurate again");
    return true;
  }
  phase_.wait *= 2;
  phase_.next_trial = state_.time + phase_.wait;
  log_debug(fmt::format("step {}: no implicit steps before t = {:.6g} s: they are not accurate", state_.steps,
                        phase_.next_trial));
  return false;
}

bool AdaptiveStepper::implicit_step_taken(double time_after)
{
  element::Model& model = state_.model;
  const std::vector<partition::PairRecord> pairs = explicit_.pair_memory();
  explicit_.compute_forces();
  const std::vector<Row4> v = model.v, f = model.f;
  const std::vector<rigid::Motion> obstacles = state_.obstacle_motions;
  const double begin = state_.time, dt = state_.dt;
  explicit_.end_at_full_step();
  implicit_.begin(first_step * shortest_implicit_step(), pairs);
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
