#include "simulation/run/run.hpp"

#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/stopwatch.hpp"
#include "simulation/diagnostics/partition_statistics.hpp"
#include "simulation/run/interruption.hpp"
#include "simulation/run/loop.hpp"
#include "simulation/run/recorder.hpp"
#include "simulation/run/restart.hpp"
#include "simulation/run/run_folder.hpp"
#include "simulation/run/schedule.hpp"
#include "simulation/setup/setup.hpp"
#include "simulation/stepping/make_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

namespace sunder::simulation {
namespace {

/// Collective. What is about to be simulated, in the log.
void announce(const config::Scene& scene, const State& state, const Stepper& stepper, const RunFolder& folder)
{
  const PartitionStatistics statistics = partition_statistics(state.model.mesh, *state.halo);
  const Rank ranks = state.comm.size();
  if (state.comm.rank() == 0) {
    log_info(fmt::format("{}: {} nodes, {} elements on {}; step {:.3g} s, set by the {}, {:.3g} s", scene.name,
                         state.initial_nodes, state.initial_elements, counted(ranks, "rank"), stepper.step_size(),
                         stepper.limit().text(), stepper.limit().seconds));
    if (ranks > 1)
      log_info(fmt::format(
          "the fullest rank holds {:.3g} times the mean; {} elements are held by several ranks; at most {} "
          "ghosts and {} neighbours a rank",
          statistics.imbalance, statistics.shared_elements, statistics.most_ghosts, statistics.most_neighbours));
    for (const std::string& warning : state.warnings) log_warning(warning);
  }
  if (folder.checkpoint())
    log_info(
        fmt::format("goes on from {}: step {}, t = {:.6g} s", folder.checkpoint()->string(), state.steps, state.time));
}

/// Local. --until shortens a run, and lengthens none.
void note_late_end(const Comm& comm, const config::Scene& scene, const RunOptions& options)
{
  if (comm.rank() != 0 || !std::isfinite(options.until) || options.until <= scene.time.end) return;
  log_warning(
      fmt::format("--until: expected at most {0:.9g} s, time.end, got {1:.9g} s: the run ends at time.end; --set "
                  "time.end={1:.9g} makes it longer",
                  scene.time.end, options.until));
}

/// Throws AgreedError if the run is to end before where it would go on from: all that is later would be lost.
void check_steps(const RunOptions& options, const RestartState& from, const std::filesystem::path& checkpoint)
{
  if (from.state.steps <= options.steps) return;
  throw AgreedError(
      fmt::format("--steps: expected at least {}, where {} is, got {}; steps count from the run's beginning",
                  from.state.steps, checkpoint.string(), options.steps));
}

/// Likewise.
void check_end(const config::Scene& scene, const RunOptions& options, const RestartState& from,
               const std::filesystem::path& checkpoint)
{
  const double end = std::min(scene.time.end, options.until);
  if (from.state.time <= end) return;
  throw AgreedError(fmt::format("{}: expected at least {:.9g} s, where {} is, got {:.9g} s",
                                end < scene.time.end ? "--until" : config::message_key(scene, "time.end"),
                                from.state.time, checkpoint.string(), end));
}

}  // namespace

std::optional<Summary> run(const Comm& comm, const config::Scene& scene, const RunOptions& options)
{
  const double begin = MPI_Wtime();
  const Interruption interruption;
  RunFolder folder(comm, scene, options);
  std::optional<RestartState> from;
  if (folder.checkpoint()) from = read_restart(comm, *folder.checkpoint(), scene, options.completed_scene);
  if (from) check_steps(options, *from, *folder.checkpoint()), check_end(scene, options, *from, *folder.checkpoint());
  State state = from ? restored_state(comm, scene, *from) : set_up(comm, scene);
  const RunState* const stored = from ? &from->state : nullptr;
  const auto stepper = [&] {
    const ProcessorStopwatch watch(state.measured.making_stepper);
    return from ? make_stepper(scene, state, stored, from->bodies.pairs) : make_stepper(scene, state);
  }();
  check_intervals(scene, std::min(scene.time.end, options.until), stepper->step_size());
  check_tables(comm, scene, folder);
  folder.begin(stored);
  Recorder recorder(comm, scene, folder, stored);
  from.reset();
  announce(scene, state, *stepper, folder);
  note_late_end(comm, scene, options);
  Loop loop(scene, options, folder, state, *stepper, recorder, begin);
  try {
    if (!loop.run()) return {};
  } catch (const AgreedError& error) {
    if (error.status() == ExitStatus::bad_input && state.steps == 0) folder.withdraw();
    throw;
  }
  return recorder.finish(state, *stepper, options.version);
}

}  // namespace sunder::simulation
