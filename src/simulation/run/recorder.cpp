#include "simulation/run/recorder.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/stopwatch.hpp"
#include "io/outer_surface.hpp"
#include "simulation/diagnostics/crack_surface.hpp"
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
  const auto begin = [&](std::optional<io::FrameWriter>& frames, const std::string& of) {
    frames.emplace(comm, folder.path(), scene.name + of, series);
    series.ghosts = false;  // of what comes beside the bodies
  };
  if (scene.output.frames) begin(frames_, "");
  if (scene.output.frames && scene.output.cracks && scene.fracture.enabled) begin(crack_frames_, "_cracks");
  if (scene.output.frames && scene.output.surface) begin(surface_frames_, "_surface");
  const auto step = from ? std::optional(from->steps) : std::nullopt;
  on_rank_0(
      comm,
      [&] {
        const auto names = reaction_names(scene);
        history_.emplace(folder.path() / "history.csv", history_header(names), step);
        if (!names.empty()) reactions_.emplace(folder.path() / "reactions.csv", reaction_header(names), step);
      },
      failed);
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
        if (line && reactions_) reactions_->append(line->step, reaction_line(line->step, line->time, line->reactions));
      },
      failed);
  if (line) state.reactions.begin(state.time);
  if (frame && frames_) write_frames(state);
}

void Recorder::write_frames(const State& state)
{
  const FrameOptions options{scene_.output.fields, scene_.output.geometry == "reference", scene_.fracture.criterion};
  const io::Frame bodies = frame_of(state, options);
  frames_->write(bodies, shapes(state));
  if (crack_frames_) crack_frames_->write(crack_surface(state, options.reference_geometry));
  if (surface_frames_) surface_frames_->write(io::outer_surface(bodies, comm_.rank()));
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
