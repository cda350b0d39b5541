#include "simulation/run/recorder.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/stopwatch.hpp"
#include "simulation/diagnostics/frame_fields.hpp"
#include "simulation/diagnostics/history_row.hpp"

#include <vector>

namespace sunder::simulation {
namespace {

constexpr int failed = static_cast<int>(ExitStatus::simulation_failed);

/// Of the obstacles that have an end to show.
std::vector<io::ObstacleShape> shapes(const State& state)
{
  std::vector<io::ObstacleShape> all;
  for (std::size_t k = 0; k < state.obstacles.size(); ++k) {
    const contact::Obstacle& obstacle = state.obstacles[k];
    const rigid::Motion& now = state.obstacle_motions[k];
    if (obstacle.shape == rigid::Shape::sphere) all.push_back(io::Sphere{now.position, obstacle.radius});
    if (obstacle.shape == rigid::Shape::box)
      all.push_back(io::OrientedBox{now.position, obstacle.size, now.orientation});
    if (obstacle.shape == rigid::Shape::cylinder || obstacle.shape == rigid::Shape::capsule)
      all.push_back(io::RoundBar{obstacle.shape == rigid::Shape::capsule, now.position, obstacle.radius,
                                 obstacle.length, now.orientation});
    if (obstacle.shape == rigid::Shape::mesh)
      all.push_back(io::TriangleSolid{now.position, now.orientation, obstacle.surface});
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
  const auto step = from ? std::optional(from->steps) : std::nullopt;
  on_rank_0(
      comm, [&] { history_.emplace(folder.path() / "history.csv", history_header(), step); }, failed);
}

void Recorder::record(State& state, Stepper& stepper, bool row, bool frame)
{
  const Stopwatch watch(state.measured.wall.output);
  const LongWork work("output");
  stepper.compute_forces();
  const auto line = row ? std::optional(history_row(state, stepper)) : std::nullopt;
  on_rank_0(
      comm_,
      [&] {
        folder_.check_on_rank_0();
        if (line) history_->append(line->step, history_line(*line));
      },
      failed);
  if (frame && frames_) {
    const FrameOptions options{scene_.output.fields, scene_.output.geometry == "reference", scene_.fracture.criterion};
    frames_->write(frame_of(state, options), shapes(state));
  }
}

Summary Recorder::finish(State& state, Stepper& stepper, const std::string& version)
{
  stepper.compute_forces();
  Summary summary = simulation::summary(scene_, state, stepper);
  summary.version = version, summary.run = folder_.run();
  on_rank_0(
      comm_,
      [&] {
        folder_.check_on_rank_0();
        write_summary(folder_.path() / "summary.json", summary);
      },
      failed);
  return summary;
}

}  // namespace sunder::simulation
