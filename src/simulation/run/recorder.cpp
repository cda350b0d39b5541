#include "simulation/run/recorder.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/stopwatch.hpp"
#include "io/frames/outer_surface.hpp"
#include "simulation/diagnostics/bond_surface.hpp"
#include "simulation/diagnostics/crack_front_rows.hpp"
#include "simulation/diagnostics/crack_surface.hpp"
#include "simulation/diagnostics/cracks.hpp"
#include "simulation/diagnostics/detailed_surface.hpp"
#include "simulation/diagnostics/frame_fields.hpp"
#include "simulation/diagnostics/history_row.hpp"
#include "simulation/diagnostics/probe_rows.hpp"
#include "simulation/diagnostics/section_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace sunder::simulation {
namespace {

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

constexpr std::array all_tables{"history.csv",  "reactions.csv",    "probes.csv",
                                "sections.csv", "crack_fronts.csv", "cracks.csv"};

struct TableOutline {
  const char* file;
  std::string header;
};

bool lists_cracks(const config::Scene& scene)
{
  return scene.fracture.enabled && scene.output.largest_cracks > 0;
}

/// Those that have columns in this scene.
std::vector<TableOutline> tables_of(const config::Scene& scene)
{
  const auto names = reaction_names(scene);
  std::vector<TableOutline> tables{{"history.csv", history_header(names)}};
  const auto add = [&](const char* file, const std::vector<std::string>& columns) {
    if (!columns.empty()) tables.push_back({file, io::table_header(columns)});
  };
  add("reactions.csv", reaction_columns(names));
  add("probes.csv", probe_columns(scene));
  add("sections.csv", section_columns(scene.output.sections));
  add("crack_fronts.csv", crack_front_columns(scene.output.crack_fronts));
  if (lists_cracks(scene)) add("cracks.csv", crack_columns());  // the last
  return tables;
}

/// Equilibria are not asked: a load that is there in full from the start does more work than the body stores.
std::optional<std::string> energy_warning(const config::Scene& scene, const Energy& energy)
{
  constexpr double bad = 0.1;
  if (scene.solver.method == config::Method::static_equilibrium || !(std::abs(energy.relative_error) > bad)) return {};
  return fmt::format(
      "energy that is not accounted for is {:.2g} % of what there was and what was put in: expected at most {:.0f} %; "
      "energy_error in history.csv tells when it came in, and shorter steps (time.step_factor) may keep it out",
      100 * energy.relative_error, 100 * bad);
}

/// Collective, one reduction. Flow keeps the trace of eps at zero, not the volume: what has flowed to eps^p is without
/// stress where F^T F = 1 + eps^p, so its volume is det(1 + eps^p)^(1/2).
std::optional<std::string> flow_warning(const State& state)
{
  constexpr double least = 0.95;
  const mesh::TetMesh& mesh = state.model.mesh;
  double square = 1;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.primary(e)) continue;
    const auto strain = state.model.blocks.plastic_strain(e);
    Mat3 stretch;
    stretch << 1 + strain[0], strain[3], strain[5], strain[3], 1 + strain[1], strain[4], strain[5], strain[4],
        1 + strain[2];
    square = std::min(square, stretch.determinant());
  }
  const double volume = std::sqrt(std::max(0.0, state.comm.min(square)));
  if (volume >= least) return {};
  return fmt::format(
      "plastic flow has taken {:.0f} % of an element's volume: expected at most {:.0f} %; elements so stretched are "
      "thinner than a metal, and stress in them is higher (docs/deformation.md, plasticity); PlasticStrain shows where",
      100 * (1 - volume), 100 * (1 - least));
}

/// Collective: one reduction, one more if there are crack fronts, and what largest_cracks() takes once anything has
/// cracked. The lines of one moment, a line for each table that has columns; of cracks.csv one for each crack, on rank
/// 0.
std::vector<std::string> row_of(const config::Scene& scene, State& state, const Stepper& stepper)
{
  ProbeSums probes(scene, state);
  SectionSums sections(scene.output.sections, state.model);
  CrackFrontSums fronts(scene, state);
  const HistoryRow row =
      history_row(state, stepper, [&](Reduction& all) { probes.join(all), sections.join(all), fronts.join(all); });
  std::vector<std::string> lines{history_line(row)};
  for (const std::vector<double>& numbers : {reaction_numbers(row.reactions), probes.row(),
                                             section_numbers(sections.rows()), crack_front_numbers(fronts.rows())})
    if (!numbers.empty()) lines.push_back(io::table_row(row.step, row.time, numbers));
  if (lists_cracks(scene)) {
    std::string& all = lines.emplace_back();
    if (state.events > 0)
      for (const Crack& c :
           largest_cracks(state, static_cast<std::size_t>(scene.output.largest_cracks), state.reactions.since))
        all += (all.empty() ? "" : "\n") + io::table_row(row.step, row.time, crack_numbers(c));
  }
  return lines;
}

struct Instant {
  std::int64_t step = 0;
  double time = 0;
};

/// Rows and frames up to there stay when a run goes on. What its state's own step has is recorded again if it is due;
/// else it is of a run that ended there. But where it was recorded before the state was stored, sums began anew then.
Instant last_to_keep(const RunState& from)
{
  if (from.reactions.since == from.time) return {from.steps, from.time};
  return {from.steps - 1, std::nextafter(from.time, std::numeric_limits<double>::lowest())};
}

io::Compression compression_of(const config::OutputOptions& output)
{
  if (output.compression == "none") return io::Compression::none;
  return output.compression == "zlib" ? io::Compression::zlib : io::Compression::lz4;
}

}  // namespace

void check_tables(const Comm& comm, const config::Scene& scene, const RunFolder& folder)
{
  on_rank_0(comm, [&] {
    if (!folder.keeps()) return;
    for (const auto& [file, header] : tables_of(scene)) io::check_columns(folder.path() / file, header);
  });
}

Recorder::Recorder(const Comm& comm, const config::Scene& scene, const RunFolder& folder, const RunState* from)
  : comm_(comm), scene_(scene), folder_(folder)
{
  io::FrameWriterOptions series{
      .compression = compression_of(scene.output), .pieces = scene.output.pieces, .run = folder.run()};
  if (from) series.resume_time = last_to_keep(*from).time;
  const auto begin = [&](std::optional<io::FrameWriter>& frames, const std::string& of) {
    frames.emplace(comm, folder.path(), scene.name + of, series);
    series.ghosts = false;  // of what comes beside the bodies
  };
  if (scene.output.frames) begin(frames_, "");
  if (scene.output.frames && scene.output.cracks && scene.fracture.enabled) begin(crack_frames_, "_cracks");
  if (scene.output.frames && scene.output.surface) begin(surface_frames_, "_surface");
  if (scene.output.frames && scene.solver.method == config::Method::lattice) begin(bond_frames_, "_bonds");
  on_rank_0(
      comm, [&] { begin_tables(from); }, ExitStatus::simulation_failed);
}

void Recorder::begin_tables(const RunState* from)
{
  const auto step = from ? std::optional(last_to_keep(*from).step) : std::nullopt;
  std::set<std::string> others(all_tables.begin(), all_tables.end());
  for (const auto& [file, header] : tables_of(scene_)) {
    tables_.emplace_back(folder_.path() / file, header, step);
    others.erase(file);
  }
  if (!folder_.keeps()) return;
  for (const std::string& file : others) io::keep_rows_until(folder_.path() / file, *step);
}

void Recorder::record(State& state, Stepper& stepper, bool row, bool frame)
{
  const PhaseStopwatch watch(state.measured.wall.output);
  const LongWork work("output");
  stepper.compute_forces();
  const auto lines = row ? row_of(scene_, state, stepper) : std::vector<std::string>{};
  on_rank_0(
      comm_,
      [&] {
        folder_.check_on_rank_0();
        for (std::size_t k = 0; k < lines.size(); ++k)
          if (!lines[k].empty()) tables_[k].append(state.steps, lines[k]);
      },
      ExitStatus::simulation_failed);
  if (row) state.reactions.begin(state.time);
  if (frame && frames_) write_frames(state);
}

void Recorder::write_frames(const State& state)
{
  const FrameOptions options{scene_.output.fields, scene_.output.geometry == "reference", scene_.fracture.criterion};
  io::Frame bodies = frame_of(state, options);
  if (surface_frames_)
    frames_->write(bodies, shapes(state));
  else
    frames_->write(std::move(bodies), shapes(state));  // no second copy of large bodies
  if (crack_frames_) crack_frames_->write(crack_surface(state, options.reference_geometry));
  if (bond_frames_ && comm_.max(static_cast<std::int64_t>(!state.model.lattice.empty())) > 0)
    bond_frames_->write(bond_surface(state, options.reference_geometry));
  const auto& [levels, roughness, seed] = scene_.output.surface_detail;
  if (surface_frames_)
    surface_frames_->write(levels > 0
                               ? detailed_surface(state, bodies, {levels, roughness, seed}, options.reference_geometry)
                               : io::outer_surface(bodies, comm_.rank()));
}

Summary Recorder::finish(State& state, Stepper& stepper, const std::string& version)
{
  stepper.compute_forces();
  Summary summary = simulation::summary(scene_, state, stepper);
  summary.version = version, summary.run = folder_.run();
  for (auto& warning : {energy_warning(scene_, summary.energy), flow_warning(state)})
    if (warning) log_warning(*warning), summary.warnings.push_back(*warning);
  on_rank_0(
      comm_,
      [&] {
        folder_.check_on_rank_0();
        write_summary(folder_.path() / "summary.json", summary);
      },
      ExitStatus::simulation_failed);
  return summary;
}

}  // namespace sunder::simulation
