#include "simulation/run/loop.hpp"

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/stopwatch.hpp"
#include "simulation/loading/prescribed_motion.hpp"
#include "simulation/migration/repartition.hpp"
#include "simulation/run/interruption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder::simulation {
namespace {

/// At the interval given [s]. If it is 0: with each step of a static solver or of a lattice's impact, else so many in
/// the scene's length.
Schedule schedule(const config::Scene& scene, double given, int intervals, double end)
{
  if (given > 0) return {given, end};
  using config::Method;
  const double interval = scene.time.end / intervals;
  if (scene.solver.method == Method::static_equilibrium) return Schedule::each_step(end);
  if (scene.solver.method == Method::lattice) return Schedule::after_impact(scene.lattice.duration, interval, end);
  return {interval, end};
}

}  // namespace

Loop::Loop(const config::Scene& scene, const RunOptions& options, const RunFolder& folder, State& state,
           Stepper& stepper, Recorder& recorder, double begin)
  : scene_(scene),
    options_(options),
    state_(state),
    stepper_(stepper),
    recorder_(recorder),
    end_(std::min(scene.time.end, options.until)),
    counted_to_(begin),
    rows_(schedule(scene, scene.output.history_interval, 100, end_)),
    frames_(schedule(scene, scene.output.frame_interval, 30, end_)),
    checkpoints_(state.comm, scene.checkpoint, folder, options.completed_scene),
    policy_(scene.partition, state.steps, state.comm.sum(state.measured.making_stepper) / state.comm.size()),
    watchdog_(state.comm.rank(), scene.checkpoint.patience),
    progress_({state.time, state.steps}, {end_, options.steps}, state.comm.rank() != 0 || options.quiet)
{
  rows_.go_on_from(state.time), frames_.go_on_from(state.time);
  checkpoints_.begin(state);
  watchdog_.heard(state.steps);
}

bool Loop::run()
{
  while (!at_end()) {
    if (stepper_.at_sync_point() && !store_or_repartition()) return false;
    record(false);
    take_requests();
    const double dt = step();
    watchdog_.heard(state_.steps);
    progress_.update(state_.time, state_.steps, dt, state_.num_elements, state_.events);
  }
  count_time();
  if (stepper_.at_sync_point()) checkpoints_.write_if_due(state_, stepper_);  // before record(), as above
  record(true);
  count_time();
  return true;
}

/// A run that goes on from a checkpoint goes on counting, as for each phase.
void Loop::count_time()
{
  const double now = MPI_Wtime();
  state_.measured.wall.total += now - std::exchange(counted_to_, now);
}

bool Loop::at_end() const
{
  return state_.time >= end_ * (1 - 1e-12) || state_.steps >= options_.steps;
}

/// At a sync point: a checkpoint and new owners, where due. Returns false if the run is to stop.
bool Loop::store_or_repartition()
{
  count_time();
  const bool stored = checkpoints_.write_if_due(state_, stepper_);
  if (stepper_.asked() == Request::stop) {
    if (!stored) end_without_checkpoint();
    return false;
  }
  stepper_.answer();
  repartition_if_due();
  return true;
}

/// A status of its own: a job script that took it for a stop would do the same again and again.
void Loop::end_without_checkpoint() const
{
  checkpoints_.tell_of_last();
  throw AgreedError(
      fmt::format("asked to stop, and no checkpoint of step {} could be written: what came after the last one is lost",
                  state_.steps),
      ExitStatus::simulation_failed);
}

void Loop::repartition_if_due()
{
  const Comm& comm = state_.comm;
  if (comm.size() == 1 || !policy_.check_due(state_.steps)) return;
  const Imbalance found = imbalance(comm, state_.model.mesh, stepper_.element_costs());
  if (policy_.decide(found, state_.steps)) {
    double mine = 0;
    bool done = false;
    {
      const ProcessorStopwatch watch(mine);
      done = repartition(state_, stepper_, partitioner_of(scene_.partition));
    }
    policy_.repartitioned(comm.sum(mine) / comm.size());
    if (done)
      log_debug(fmt::format("step {}: work was {:.2f} times the mean on the busiest rank; repartitioned in {:.2g} s",
                            state_.steps, found.ratio, policy_.cost()));
  }
  stepper_.reset_processor_time();
}

void Loop::record(bool last)
{
  const bool row_due = rows_.due(state_.time, state_.dt), frame_due = frames_.due(state_.time, state_.dt);
  if (row_due || frame_due || last) recorder_.record(state_, stepper_, row_due || last, frame_due || last);
  if (row_due || last) recorded_step_ = state_.steps;
  if (row_due) rows_.done();
  if (frame_due) frames_.done();
}

/// No further step can be taken: what has been reached is recorded and stored.
void Loop::keep_last_good_state()
{
  if (recorded_step_ != state_.steps) record(true);
  count_time();
  if (stepper_.at_sync_point()) checkpoints_.write_now(state_, stepper_);
  checkpoints_.tell_of_last();
}

/// What the clock and signals ask of this rank; all know with the next step.
void Loop::take_requests()
{
  checkpoints_.check_clock(stepper_);
  if (Interruption::requested()) stepper_.ask(Request::stop);
  if (stepper_.asked() == Request::stop && !std::exchange(told_of_stop_, true))
    log_info("asked to stop: a checkpoint follows in the next step that one can be taken in");
}

/// One step, of a length with which equal ones meet the next output time, or the end of a boundary condition. Returns
/// it [s].
double Loop::step()
{
  const double target = std::min({rows_.next(), frames_.next(), next_release(scene_.boundary, state_.time), end_}),
               left = target - state_.time;
  const double steps_left = std::max(1.0, std::ceil(left / stepper_.step_size()));
  const double dt = left / steps_left;
  try {
    stepper_.advance(dt, steps_left == 1 ? target : state_.time + dt);
  } catch (const StepFailed&) {
    keep_last_good_state();
    throw;
  } catch (const AgreedError& error) {
    if (error.status() != ExitStatus::bad_input) checkpoints_.tell_of_last();
    throw;
  }
  return dt;
}

}  // namespace sunder::simulation
