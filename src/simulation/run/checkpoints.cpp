#include "simulation/run/checkpoints.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/log.hpp"
#include "core/stopwatch.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "simulation/run/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder::simulation {

namespace fs = std::filesystem;

namespace {

/// Collective. Is every node's velocity a number, on every rank?
bool is_finite(const State& state)
{
  return state.comm.max(static_cast<std::int64_t>(!std::isfinite(state.maximum_speed))) == 0;
}

}  // namespace

Checkpoints::Checkpoints(const Comm& comm, const config::CheckpointOptions& options, const RunFolder& folder,
                         std::string completed_scene)
  : comm_(comm), options_(options), folder_(folder), scene_(std::move(completed_scene))
{
  on_rank_0(
      comm,
      [&] {
        for (const io::CheckpointFile& file : io::checkpoints_in(folder.path()))
          written_.insert(written_.begin(), file.path);
      },
      ExitStatus::simulation_failed);
}

void Checkpoints::begin(const State& state)
{
  last_time_ = state.time, last_step_ = state.steps, last_clock_ = MPI_Wtime();
}

void Checkpoints::check_clock(Stepper& stepper)
{
  if (comm_.rank() != 0 || options_.wall_interval == 0) return;
  const double now = MPI_Wtime();
  const double interval =
      std::min(options_.wall_interval, std::max(options_.wall_interval / 20, (now - begun_clock_) / 2));
  if (now - last_clock_ >= interval) stepper.ask(Request::checkpoint);
}

bool Checkpoints::due(const State& state, const Stepper& stepper) const
{
  return stepper.asked() != Request::nothing ||
         (options_.interval > 0 && state.time - last_time_ >= options_.interval) ||
         (options_.steps > 0 && state.steps - last_step_ >= options_.steps);
}

bool Checkpoints::write_if_due(State& state, const Stepper& stepper)
{
  // The next step ends a run that is not finite any more: the checkpoints there are must stay the last good ones.
  return due(state, stepper) && is_finite(state) && write_now(state, stepper);
}

bool Checkpoints::write_now(State& state, const Stepper& stepper)
{
  bool written = true;
  const PhaseStopwatch watch(state.measured.wall.output);
  const LongWork work("a checkpoint");
  folder_.check();
  try {
    write(state, stepper);
  } catch (const AgreedError& error) {
    log_warning(fmt::format("no checkpoint of step {}: {}; those before are safe", state.steps, error.what()));
    written = false;
  }
  begin(state);
  return written;
}

void Checkpoints::write(const State& state, const Stepper& stepper)
{
  const fs::path path = io::checkpoint_path(folder_.path(), state.steps);
  on_rank_0(
      comm_,
      [&] {
        std::error_code error;
        fs::create_directory(path.parent_path(), error);  // not the folder: it is there, or the run is over
        if (fault_point(FaultKind::file, "checkpoint: make the folder")) error.assign(errno, std::generic_category());
        if (error)
          throw Error(fmt::format("{}: cannot make this folder: {}", path.parent_path().string(), error.message()));
      },
      ExitStatus::simulation_failed);
  const double begun = MPI_Wtime();
  io::StoredBodies bodies = stored_bodies(state, stepper, scene_);
  bodies.run = folder_.run();
  io::write_bodies(comm_, path, io::FileKind::checkpoint, bodies);
  if (comm_.rank() == 0) {
    std::erase(written_, path);
    written_.push_back(path);
    remove_old();
  }
  log_info(fmt::format("checkpoint {} in {:.2g} s", path.string(), MPI_Wtime() - begun));
}

void Checkpoints::tell_of_last() const
{
  if (comm_.rank() != 0) return;
  log_warning(written_.empty()
                  ? "there is no checkpoint of an earlier state (checkpoint.steps makes one every so many steps)"
                  : fmt::format("the last good state is in {}", written_.back().string()));
}

void Checkpoints::remove_old()
{
  std::error_code ignored;
  while (written_.size() > static_cast<std::size_t>(options_.keep)) {
    fs::remove(written_.front(), ignored);
    written_.erase(written_.begin());
  }
}

}  // namespace sunder::simulation
