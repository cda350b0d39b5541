#include "simulation/run/run.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/stopwatch.hpp"
#include "io/frame_writer.hpp"
#include "io/history.hpp"
#include "io/summary.hpp"
#include "simulation/diagnostics/observe.hpp"
#include "simulation/run/checkpoints.hpp"
#include "simulation/run/interruption.hpp"
#include "simulation/run/progress.hpp"
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

constexpr int failed = static_cast<int>(ExitStatus::simulation_failed);

/// Everything a run writes. Collective, all of it.
class Recorder {
public:
  /// from: the run that this one goes on with; what it wrote later than that is dropped.
  Recorder(const Comm& comm, const config::Scene& scene, const RunFolder& folder, const RunState* from)
    : comm_(comm), scene_(scene), folder_(folder)
  {
    io::FrameWriterOptions series{.pieces = scene.output.pieces, .run = folder.run()};
    if (from) series.resume_time = from->time;
    if (scene.output.frames) frames_.emplace(comm, folder.path(), scene.name, series);
    const auto step = from ? std::optional(from->step) : std::nullopt;
    on_rank_0(
        comm, [&] { history_.emplace(folder.path() / "history.csv", step); }, failed);
  }

  void record(Simulation& simulation, bool row, bool frame)
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

  io::Summary finish(Simulation& simulation, const std::string& version)
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

private:
  /// Of the obstacles that have an end to show.
  static std::vector<io::ObstacleShape> shapes(const Simulation& simulation)
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

  Comm comm_;
  const config::Scene& scene_;
  const RunFolder& folder_;
  std::optional<io::FrameWriter> frames_;
  std::optional<io::History> history_;  // on rank 0
};

/// Looks at the balance of work from time to time. It is mended when what its lack has cost since the last time exceeds
/// what mending costs: sooner, more would be spent on mending than on waiting, and later, on waiting than on mending.
class Balancing {
public:
  Balancing(const Comm& comm, const config::PartitionOptions& options, std::int64_t step)
    : comm_(comm), options_(options), next_(step + options.rebalance_steps)
  {
  }

  /// Collective, at a rest point.
  void look(Simulation& simulation)
  {
    if (comm_.size() == 1 || options_.rebalance == 0 || simulation.steps() < next_) return;
    const Imbalance found = imbalance(comm_, simulation.work_spent());
    lost_ += found.excess;
    if (found.ratio > options_.rebalance && lost_ > cost_) {
      double mine = 0;
      bool done = false;
      {
        const WorkWatch watch(mine);
        done = simulation.share_out();
      }
      cost_ = comm_.sum(mine) / comm_.size();
      lost_ = 0;
      if (done)
        log_info(fmt::format("step {}: work was {:.2f} times the mean on the busiest rank; shared out anew in {:.2g} s",
                             simulation.steps(), found.ratio, cost_));
    }
    simulation.forget_work_spent();
    next_ = simulation.steps() + options_.rebalance_steps;
  }

private:
  Comm comm_;
  const config::PartitionOptions& options_;
  std::int64_t next_;
  double cost_ = 0;  // of sharing out, the last time, a rank; not known before it is tried [s of the processor]
  double lost_ = 0;  // since then, by waiting for the busiest rank [s of the processor]
};

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
  Balancing balancing(comm, scene.partition, simulation.steps());
  Watchdog watchdog(comm.rank(), scene.checkpoint.patience);
  watchdog.heard(simulation.steps());
  Progress progress(end, comm.rank() != 0 || options.quiet);
  bool told = false;
  for (;;) {
    const double time = simulation.time();
    const bool last = time >= end * (1 - 1e-12) || simulation.steps() >= options.steps;
    if (!last && simulation.at_rest_point()) {
      checkpoints.write_if_due(simulation);
      if (simulation.asked() == Request::stop) return {};
      simulation.answer();
      balancing.look(simulation);
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
