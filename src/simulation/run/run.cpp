#include "simulation/run/run.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/stopwatch.hpp"
#include "simulation/diagnostics/observe.hpp"
#include "simulation/run/checkpoints.hpp"
#include "simulation/run/interruption.hpp"
#include "simulation/run/progress.hpp"
#include "simulation/run/recorder.hpp"
#include "simulation/run/repartition_policy.hpp"
#include "simulation/run/run_folder.hpp"
#include "simulation/run/schedule.hpp"
#include "simulation/run/watchdog.hpp"
#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sunder::simulation {
namespace {

/// Collective, at a sync point. Repartitions if the policy says so.
void balance_work(const Comm& comm, Simulation& simulation, RepartitionPolicy& policy)
{
  if (comm.size() == 1 || !policy.looks_at(simulation.steps())) return;
  const Imbalance found = imbalance(comm, simulation.work_spent());
  if (policy.decide(found, simulation.steps())) {
    double mine = 0;
    bool done = false;
    {
      const ProcessorStopwatch watch(mine);
      done = simulation.share_out();
    }
    policy.repartitioned(comm.sum(mine) / comm.size());
    if (done)
      log_debug(fmt::format("step {}: work was {:.2f} times the mean on the busiest rank; repartitioned in {:.2g} s",
                            simulation.steps(), found.ratio, policy.cost()));
  }
  simulation.forget_work_spent();
}

void announce(const Simulation& simulation, const config::Scene& scene, Rank ranks, const io::Shares& shares)
{
  log_info(fmt::format(
      "{}: {} nodes, {} elements on {} rank{}; step {:.3g} s, set by the {} limit {:.3g} s of element {}", scene.name,
      simulation.problem().num_nodes, simulation.problem().num_elements, ranks, ranks == 1 ? "" : "s",
      simulation.step_size(), simulation.limit().kind, simulation.limit().seconds, simulation.limit().element));
  if (ranks > 1)
    log_info(
        fmt::format("the fullest rank holds {:.3g} times the mean; {} elements are held by several ranks; at most {} "
                    "ghosts and {} neighbours a rank",
                    shares.imbalance, shares.shared_elements, shares.most_ghosts, shares.most_neighbours));
  for (const std::string& warning : simulation.problem().warnings) log_warning(warning);
}

}  // namespace

std::optional<io::Summary> run(const Comm& comm, const config::Scene& scene, const RunOptions& options)
{
  const double begin = MPI_Wtime();
  const Interruption interruption;
  RunFolder folder(comm, scene, options);
  std::optional<RestartState> from;
  if (folder.checkpoint()) from = read_restart(comm, *folder.checkpoint(), scene, options.completed_scene);
  Simulation simulation = from ? Simulation(comm, scene, *from) : Simulation(comm, scene);
  const double end = std::min(scene.time.end, options.until);
  check_intervals(scene, end, simulation.step_size());
  folder.begin(from ? &from->state : nullptr);
  const double earlier = simulation.wall().total;
  Recorder recorder(comm, scene, folder, from ? &from->state : nullptr);
  from.reset();
  const io::Shares at_start = shares(simulation.model().mesh, simulation.halo());
  if (comm.rank() == 0) announce(simulation, scene, comm.size(), at_start);
  if (folder.checkpoint())
    log_info(fmt::format("goes on from {}: step {}, t = {:.6g} s", folder.checkpoint()->string(), simulation.steps(),
                         simulation.time()));

  const auto interval = [&scene](double given, int parts) { return given > 0 ? given : scene.time.end / parts; };
  Schedule rows(interval(scene.output.history_interval, 100), end),
      frames(interval(scene.output.frame_interval, 30), end);
  rows.go_on_from(simulation.time()), frames.go_on_from(simulation.time());
  Checkpoints checkpoints(comm, scene.checkpoint, folder, options.completed_scene);
  checkpoints.begin(simulation);
  RepartitionPolicy policy(scene.partition, simulation.steps());
  Watchdog watchdog(comm.rank(), scene.checkpoint.patience);
  watchdog.heard(simulation.steps());
  Progress progress(end, comm.rank() != 0 || options.quiet);
  bool told = false;
  for (;;) {
    const double time = simulation.time();
    const bool last = time >= end * (1 - 1e-12) || simulation.steps() >= options.steps;
    if (!last && simulation.at_sync_point()) {
      checkpoints.write_if_due(simulation);
      if (simulation.asked() == Request::stop) return {};
      simulation.answer();
      balance_work(comm, simulation, policy);
    }
    const bool row = rows.due(time) || last, frame = frames.due(time) || last;
    if (row || frame) recorder.record(simulation, row, frame);
    if (rows.due(time)) rows.done();
    if (frames.due(time)) frames.done();
    if (last) break;

    checkpoints.look_at_clock(simulation);
    if (Interruption::requested()) simulation.ask(Request::stop);
    if (simulation.asked() == Request::stop && !std::exchange(told, true))
      log_info("asked to stop: a checkpoint follows in the next step that one can be taken in");
    const double target = std::min({rows.next(), frames.next(), end}), left = target - time;
    const double steps_left = std::max(1.0, std::ceil(left / simulation.step_size()));
    const double dt = left / steps_left;
    try {
      simulation.advance(dt, steps_left == 1 ? target : time + dt);
    } catch (const AgreedError&) {
      checkpoints.tell_of_last();
      throw;
    }
    watchdog.heard(simulation.steps());
    progress.update(simulation.time(), simulation.steps(), dt, simulation.num_elements(), simulation.events());
  }
  simulation.wall().total = earlier + MPI_Wtime() - begin;
  return recorder.finish(simulation, options.version);
}

}  // namespace sunder::simulation
