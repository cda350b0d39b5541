#include "simulation/run/recorder.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/stopwatch.hpp"
#include "io/summary.hpp"
#include "simulation/diagnostics/fragments.hpp"
#include "simulation/diagnostics/observe.hpp"

#include <vector>

namespace sunder::simulation {
namespace {

constexpr int failed = static_cast<int>(ExitStatus::simulation_failed);

/// Of the obstacles that have an end to show.
std::vector<io::ObstacleShape> shapes(const Simulation& simulation)
{
  std::vector<io::ObstacleShape> all;
  const auto& obstacles = simulation.problem().obstacles;
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    const rigid::State& state = simulation.obstacles()[k];
    if (obstacles[k].shape == rigid::Shape::sphere) all.push_back(io::Sphere{state.position, obstacles[k].radius});
    if (obstacles[k].shape == rigid::Shape::box)
      all.push_back(io::OrientedBox{state.position, obstacles[k].size, state.orientation});
  }
  return all;
}

}  // namespace

Recorder::Recorder(const Comm& comm, const config::Scene& scene, const RunFolder& folder, const RunState* from)
  : comm_(comm), scene_(scene), folder_(folder)
{
  io::FrameWriterOptions series{.pieces = scene.output.pieces, .run = folder.run()};
  if (from) series.resume_time = from->time;
  if (scene.output.frames) frames_.emplace(comm, folder.path(), scene.name, series);
  const auto step = from ? std::optional(from->step) : std::nullopt;
  on_rank_0(
      comm, [&] { history_.emplace(folder.path() / "history.csv", step); }, failed);
}

void Recorder::record(Simulation& simulation, bool row, bool frame)
{
  const Stopwatch watch(simulation.wall().output);
  const LongWork work("output");
  simulation.compute_forces();
  const Fragments fragments = find_fragments(simulation.model(), simulation.halo());
  const auto line = row ? std::optional(simulation.history_row(fragments.count)) : std::nullopt;
  on_rank_0(
      comm_,
      [&] {
        folder_.check_on_rank_0();
        if (line) history_->append(*line);
      },
      failed);
  if (frame && frames_) {
    const FrameFields fields = frame_fields(simulation.model(), fragment_of_nodes(comm_, fragments));
    io::Frame view = frame_of(simulation.model(), fields, simulation.steps(), simulation.time());
    view.reference_geometry = scene_.output.geometry == "reference";
    frames_->write(view, shapes(simulation));
  }
}

io::Summary Recorder::finish(Simulation& simulation, const std::string& version)
{
  simulation.compute_forces();
  const Fragments fragments = find_fragments(simulation.model(), simulation.halo());
  io::Summary summary = simulation.summary(fragments.count);
  summary.version = version, summary.run = folder_.run();
  on_rank_0(
      comm_,
      [&] {
        folder_.check_on_rank_0();
        io::write_summary(folder_.path() / "summary.json", summary);
      },
      failed);
  return summary;
}

}  // namespace sunder::simulation
