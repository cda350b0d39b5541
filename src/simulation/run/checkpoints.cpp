#include "simulation/run/checkpoints.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/log.hpp"
#include "core/stopwatch.hpp"
#include "io/bodies_file.hpp"

#include <fmt/format.h>

#include <utility>

namespace sunder::simulation {

namespace fs = std::filesystem;

namespace {

constexpr int failed = static_cast<int>(ExitStatus::simulation_failed);

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
      failed);
}

void Checkpoints::begin(const Simulation& simulation)
{
  last_time_ = simulation.time(), last_step_ = simulation.steps(), last_clock_ = MPI_Wtime();
}

void Checkpoints::look_at_clock(Simulation& simulation)
{
  if (comm_.rank() == 0 && options_.wall_interval > 0 && MPI_Wtime() - last_clock_ >= options_.wall_interval)
    simulation.ask(Request::checkpoint);
}

bool Checkpoints::due(const Simulation& simulation) const
{
  return simulation.asked() != Request::nothing ||
         (options_.interval > 0 && simulation.time() - last_time_ >= options_.interval) ||
         (options_.steps > 0 && simulation.steps() - last_step_ >= options_.steps);
}

void Checkpoints::write_if_due(Simulation& simulation)
{
  // The next step ends a run that is not finite any more: the checkpoints there are must stay the last good ones.
  if (!due(simulation) || !simulation.is_finite()) return;
  const Stopwatch watch(simulation.wall().output);
  const LongWork work("a checkpoint");
  folder_.check();
  try {
    write(simulation);
  } catch (const AgreedError& error) {
    log_warning(fmt::format("no checkpoint of step {}: {}; the run goes on, and those before are safe",
                            simulation.steps(), error.what()));
  }
  begin(simulation);
}

void Checkpoints::write(Simulation& simulation)
{
  const fs::path path = io::checkpoint_path(folder_.path(), simulation.steps());
  on_rank_0(
      comm_,
      [&] {
        std::error_code error;
        fs::create_directory(path.parent_path(), error);  // not the folder: it is there, or the run is over
        if (fault_point(FaultKind::file, "checkpoint: make the folder")) error.assign(errno, std::generic_category());
        if (error)
          throw Error(fmt::format("{}: cannot make this folder: {}", path.parent_path().string(), error.message()));
      },
      failed);
  const double begun = MPI_Wtime();
  io::StoredBodies bodies = simulation.checkpoint(scene_);
  bodies.run = folder_.run();
  io::write_bodies(comm_, path, io::Stored::checkpoint, bodies);
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
