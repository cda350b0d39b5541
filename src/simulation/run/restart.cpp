#include "simulation/run/restart.hpp"

#include "config/differences.hpp"
#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/log.hpp"
#include "core/memory.hpp"
#include "core/reduction.hpp"
#include "core/stopwatch.hpp"
#include "element/cohesion.hpp"
#include "partition/distribute/row_check.hpp"
#include "simulation/model_records.hpp"
#include "simulation/probes.hpp"
#include "simulation/setup/placed_materials.hpp"
#include "simulation/setup/selection.hpp"
#include "simulation/setup/setup.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sunder::simulation {

namespace {

/// Volume and extent, where it is and how it is spread out: another surface differs in one of them.
std::vector<std::vector<double>> surface_measures(const std::vector<contact::Obstacle>& obstacles)
{
  std::vector<std::vector<double>> measures;
  for (const contact::Obstacle& obstacle : obstacles) {
    auto& of = measures.emplace_back();
    if (!obstacle.surface) continue;
    const geometry::ClosedSurface& surface = *obstacle.surface;
    of = {surface.volume(), surface.radius()};
    for (const Vec3* v : {&surface.centre(), &surface.inertia()}) of.insert(of.end(), v->data(), v->data() + 3);
  }
  return measures;
}

/// Of the first obstacle whose surface is not the one that the run began with. Measures may differ by round-off, where
/// the run goes on on other processors.
std::optional<std::string> other_surface(const RunState& stored, const std::vector<contact::Obstacle>& obstacles)
{
  const auto now = surface_measures(obstacles);
  for (std::size_t k = 0; k < now.size() && k < stored.surfaces.size(); ++k) {
    const std::vector<double>& before = stored.surfaces[k];
    bool same = before.size() == now[k].size();
    for (std::size_t i = 0; same && i < before.size(); ++i) {
      const double scale = i == 0 || i > 4 ? std::abs(before[i]) : before[1];
      same = std::abs(now[k][i] - before[i]) <= 1e-9 * scale;
    }
    if (!same && !before.empty() && !now[k].empty())
      return fmt::format(
          "obstacles.{}.mesh.file: expected the surface that the run began with, around {:.10g} m^3 and "
          "{:.10g} m from centre to end, but {} has changed: {:.10g} m^3 and {:.10g} m",
          obstacles[k].name, before[0], before[1], obstacles[k].file, now[k][0], now[k][1]);
  }
  return std::nullopt;
}

}  // namespace

const std::vector<std::string>& free_to_change()
{
  static const std::vector<std::string> sections{"title", "time", "output", "partition", "checkpoint"};
  return sections;
}

RestartState read_restart(const Comm& comm, const std::filesystem::path& file, const config::Scene& scene,
                          const std::string& completed_scene)
{
  io::StoredBodies checkpoint = io::read_bodies(comm, file);
  RestartState from;
  on_every_rank(comm, [&] { from.state = run_state_from_json(checkpoint.state, file.string()); });
  if (const std::string here = fingerprint(); !from.state.fingerprint.empty() && from.state.fingerprint != here)
    log_info(
        fmt::format("{} was written by another program or on other processors ({}; here {}): bits may differ from "
                    "those of a run that was not moved",
                    file.string(), from.state.fingerprint, here));
  const auto different = config::first_difference(from.state.scene, completed_scene, free_to_change());
  if (different)
    throw AgreedError(
        fmt::format("{}: expected a checkpoint of this scene, but {} (scene.yaml of that run has it whole)",
                    file.string(), *different));
  if (const auto problem = other_surface(from.state, scene.obstacles))
    throw AgreedError(fmt::format("{}: {}", file.string(), *problem));
  const partition::RowLimits limits{.parts = from.state.ranks, .materials = place_materials(scene).all.size()};
  if (const auto problem = partition::unsound_row(comm, checkpoint.bodies, limits))
    throw AgreedError(
        fmt::format("{}: expected a checkpoint that agrees with itself, found {}", file.string(), *problem));
  from.bodies = partition::redistribute(comm, std::move(checkpoint.bodies), from.state.ranks == comm.size());
  return from;
}

State restored_state(const Comm& comm, const config::Scene& scene, RestartState& from)
{
  const RunState& stored = from.state;
  State state;
  state.comm = comm;
  state.measured.memory_at_start = resident_bytes();
  double seconds = 0;
  {
    const Stopwatch watch(seconds);
    const ReleaseAsFreed frugal;
    PlacedMaterials materials = place_materials(scene);
    state.model = model_from(comm.rank(), from.bodies, std::move(materials.all), step_options(scene),
                             std::move(materials.interfaces));
    throw_on_all(comm, state.model.problem);
    state.model.rounds = stored.rounds;
    find_face_sets(scene, comm, state.model.mesh);
    state.halo = std::make_unique<partition::Halo>(comm, state.model.mesh, element::cohesive(state.model));
    state.obstacles = completed_obstacles(scene, stored.mesh_size);
    place_probes(scene, state, stored.points);
  }
  state.obstacle_motions = stored.obstacles;
  state.initial_nodes = stored.initial_nodes, state.initial_elements = stored.initial_elements;
  state.num_elements = stored.num_elements, state.mesh_size = stored.mesh_size;
  state.time = stored.time, state.dt = stored.dt, state.dt_min = stored.dt_min,
  state.maximum_speed = stored.maximum_speed, state.load_lag = stored.load_lag;
  state.steps = stored.steps, state.events = stored.events;
  state.fragments = stored.fragments, state.next_fragment = stored.next_fragment;
  state.ledger.baseline = stored.baseline;
  state.dust = stored.dust, state.crumbs = stored.crumbs;
  state.warnings = stored.warnings;
  state.measured.wall = stored.wall, state.measured.wall.setup += seconds;
  state.measured.solves = stored.solves, state.measured.bonds = stored.bonds;
  state.measured.impacts = stored.impacts;
  state.measured.loop_seconds = stored.loop_seconds, state.measured.element_steps = stored.element_steps;
  // Sums over ranks go to one of them.
  state.reactions = stored.reactions;
  if (comm.rank() != 0) state.reactions.begin(stored.reactions.since);
  if (comm.rank() == 0) {
    state.ledger.work = stored.work, state.ledger.released = stored.released;
    state.ledger.broken_links = stored.broken_links, state.ledger.broken_surface = stored.broken_surface;
    state.measured.halo_bytes = stored.halo_bytes;
  }
  return state;
}

io::StoredBodies stored_bodies(const State& state, const Stepper& stepper, const std::string& completed_scene)
{
  SUNDER_ASSERT(stepper.at_sync_point());
  RunState s;
  stepper.store(s);
  s.scene = completed_scene, s.ranks = state.comm.size(), s.fingerprint = fingerprint();
  s.mesh_size = state.mesh_size, s.initial_nodes = state.initial_nodes, s.initial_elements = state.initial_elements;
  s.time = state.time, s.dt = state.dt, s.dt_min = state.dt_min, s.maximum_speed = state.maximum_speed;
  s.load_lag = state.load_lag;
  s.solves = state.measured.solves, s.bonds = state.measured.bonds, s.impacts = state.measured.impacts;
  s.steps = state.steps, s.events = state.events, s.element_steps = state.measured.element_steps;
  s.fragments = state.fragments, s.next_fragment = state.next_fragment;
  s.rounds = state.model.rounds, s.num_elements = state.num_elements;
  s.obstacles = state.obstacle_motions, s.surfaces = surface_measures(state.obstacles);
  s.work = state.ledger.work, s.released = state.ledger.released, s.broken_links = state.ledger.broken_links,
  s.broken_surface = state.ledger.broken_surface, s.baseline = state.ledger.baseline;
  s.wall = state.measured.wall, s.loop_seconds = state.measured.loop_seconds, s.halo_bytes = state.measured.halo_bytes;
  Reduction all;
  s.reactions = state.reactions;
  PointSums points(state.model);
  s.work.join(all), s.reactions.join(all), s.wall.join(all), points.join(all);
  all.sum(s.halo_bytes, s.released, s.broken_links, s.broken_surface), all.max(s.maximum_speed, s.loop_seconds);
  all.over(state.comm);
  s.points = points.points(state.model);
  s.dust = state.dust, s.crumbs = state.crumbs;
  s.warnings = state.warnings;
  // All ranks write the same text together, and one that read a mesh alone has warnings of its own.
  std::string text = to_json(s);
  state.comm.broadcast(text);
  return {text, rows_of(state.model, *state.halo, stepper.pair_memory())};
}

}  // namespace sunder::simulation
