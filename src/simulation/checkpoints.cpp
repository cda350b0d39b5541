#include "simulation/checkpoints.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/log.hpp"
#include "core/stopwatch.hpp"
#include "io/bodies_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace sunder::simulation {
namespace {

namespace fs = std::filesystem;

fs::path path_of(const fs::path& folder, std::int64_t step)
{
  return folder / "checkpoints" / fmt::format("step_{:012}.h5", step);
}

/// Collective. As rank 0 sees them: other ranks may see a shared folder later.
std::vector<fs::path> agreed_on(const Comm& comm, const fs::path& folder)
{
  std::string names;
  if (comm.rank() == 0)
    for (const fs::path& path : checkpoints_in(folder)) names += path.string() + '\n';
  comm.broadcast(names);
  std::vector<fs::path> paths;
  for (std::size_t begin = 0, end; (end = names.find('\n', begin)) != std::string::npos; begin = end + 1)
    paths.emplace_back(names.substr(begin, end - begin));
  return paths;
}

}  // namespace

std::vector<fs::path> checkpoints_in(const fs::path& folder)
{
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / "checkpoints", none))
    if (entry.path().extension() == ".h5" && entry.path().stem().string().starts_with("step_"))
      found.push_back(entry.path());
  std::sort(found.rbegin(), found.rend());
  return found;
}

Checkpoints::Checkpoints(const Comm& comm, const config::CheckpointOptions& options, const fs::path& folder,
                         std::string completed_scene)
  : comm_(comm), options_(options), folder_(folder), scene_(std::move(completed_scene))
{
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
  std::optional<std::string> problem;
  if (comm_.rank() == 0) {
    std::error_code error;
    fs::create_directories(folder_ / "checkpoints", error);
    if (fault_point(FaultKind::file, "checkpoint: make the folder")) error.assign(errno, std::generic_category());
    if (error)
      problem = fmt::format("{}: cannot make this folder: {}", (folder_ / "checkpoints").string(), error.message());
  }
  throw_on_all(comm_, problem, static_cast<int>(ExitStatus::simulation_failed));
  const fs::path path = path_of(folder_, simulation.steps());
  const double begun = MPI_Wtime();
  io::write_bodies(comm_, path, io::Stored::checkpoint, simulation.checkpoint(scene_));
  if (comm_.rank() == 0) remove_old();
  log_info(fmt::format("checkpoint {} in {:.2g} s", path.string(), MPI_Wtime() - begun));
}

void Checkpoints::tell_of_last() const
{
  if (comm_.rank() != 0) return;
  const auto all = checkpoints_in(folder_);
  log_warning(all.empty()
                  ? "there is no checkpoint of an earlier state (checkpoint.steps makes one every so many steps)"
                  : fmt::format("the last good state is in {}", all.front().string()));
}

void Checkpoints::remove_old() const
{
  const auto all = checkpoints_in(folder_);
  std::error_code ignored;
  for (std::size_t k = static_cast<std::size_t>(options_.keep); k < all.size(); ++k) fs::remove(all[k], ignored);
}

std::optional<fs::path> find_checkpoint(const Comm& comm, const fs::path& folder, const std::string& wanted)
{
  if (wanted != "latest") {
    throw_on_all(comm, io::damage(comm, wanted, io::Stored::checkpoint));
    return wanted;
  }
  const auto all = agreed_on(comm, folder);
  for (const fs::path& path : all) {
    const auto problem = io::damage(comm, path, io::Stored::checkpoint);
    if (!problem) return path;
    log_warning(*problem + "; renamed, and the one before taken");
    std::error_code ignored;
    if (comm.rank() == 0) fs::rename(path, path.string() + ".damaged", ignored);
  }
  if (!all.empty())
    throw AgreedError(fmt::format("{}: expected a whole checkpoint, found {} that are damaged",
                                  (folder / "checkpoints").string(), all.size()));
  return {};
}

}  // namespace sunder::simulation
