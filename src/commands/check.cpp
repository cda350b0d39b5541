#include "commands/commands.hpp"
#include "commands/scene_argument.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/memory.hpp"
#include "fracture/invariants.hpp"
#include "io/mesh_files/mesh_reader.hpp"
#include "io/surfaces/surface_check.hpp"
#include "io/surfaces/surface_reader.hpp"
#include "mesh/mesh_check.hpp"
#include "rigid/motion.hpp"
#include "simulation/forecast/cost.hpp"
#include "simulation/forecast/make_forecast.hpp"
#include "simulation/run/schedule.hpp"
#include "simulation/setup/fast_motions.hpp"
#include "simulation/setup/setup.hpp"
#include "simulation/setup/small_obstacles.hpp"
#include "simulation/stepping/make_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <thread>

namespace sunder::commands {
namespace {

constexpr double GiB = 1 << 30;

std::string lengths(const Vec3& edges)
{
  return fmt::format("{:.4g} x {:.4g} x {:.4g}", edges.x(), edges.y(), edges.z());
}

/// A file has no units: one in millimetres is as good, if its scene says so.
void print_unlikely_size(const std::string& file, const Vec3& edges)
{
  constexpr double large = 10;  // [m]
  if (edges.maxCoeff() >= large)
    fmt::print("{}: {:.4g} m long; if its numbers are millimetres, say scale: 0.001 where a scene names it\n", file,
               edges.maxCoeff());
}

void check_mesh_file(const std::string& file)
{
  mesh::MeshData data = io::read_mesh(file);
  const mesh::MeshReport report = mesh::check_mesh(data, mesh::Hinges::report);
  for (const auto& note : report.notes) fmt::print("{}: {}\n", file, note);
  if (!report.errors.empty()) throw Error(fmt::format("{}: {}", file, fmt::join(report.errors, "; ")));
  Vec3 low = data.nodes.front(), high = low;
  for (const Vec3& x : data.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  print_unlikely_size(file, high - low);
  fmt::print("{}: {} nodes, {} elements, {} m, no problem found\n", file, data.nodes.size(), data.tets.size(),
             lengths(high - low));
}

void check_surface_file(const std::string& file)
{
  const io::TriangleSurface surface = io::read_welded_surface(file);
  if (const auto errors = io::check_surface(surface); !errors.empty())
    throw Error(fmt::format("{}: {}", file, fmt::join(errors, "; ")));
  const io::SurfaceMeasure m = io::measure(surface);
  print_unlikely_size(file, m.high - m.low);
  fmt::print("{}: {} triangles, {} m, closed, around {:.6g} m^3, no problem found\n", file, surface.triangles.size(),
             lengths(m.high - m.low), m.volume);
}

std::string duration(double seconds)
{
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return seconds < 172800 ? fmt::format("{:.0f} h", seconds / 3600) : fmt::format("{:.0f} days", seconds / 86400);
}

std::string bytes_text(double bytes)
{
  return bytes < GiB ? fmt::format("{:.3g} MiB", bytes / (1 << 20)) : fmt::format("{:.3g} GiB", bytes / GiB);
}

std::string vector_text(const Vec3& x)
{
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", x.x(), x.y(), x.z());
}

std::string count_text(const std::optional<GlobalIndex>& count, const char* what)
{
  return count ? fmt::format("{} {}", *count, what) : fmt::format("{} not counted: they are too many", what);
}

void print_body(const simulation::BodyForecast& body)
{
  fmt::print("  body       {}: {} to {} m, {:.4g} kg, {} nodes, {} elements\n", body.name, vector_text(body.low),
             vector_text(body.high), body.mass, body.nodes, body.elements);
}

/// Linear tetrahedra are too stiff where they bend.
void print_thin_bodies(const config::Scene& scene, std::span<const simulation::BodyForecast> bodies)
{
  constexpr double most = 0.75;
  const auto thin = [](const simulation::BodyForecast& body) { return body.one_element_thick > most; };
  const auto first = std::ranges::find_if(bodies, thin);
  const config::Method method = scene.solver.method;
  const bool rigid = method == config::Method::lattice || method == config::Method::hybrid;
  if (first == bodies.end() || rigid) return;
  const auto more = std::ranges::count_if(bodies, thin) - 1;
  fmt::print(
      "  thickness  {}{}: {:.0f} % of its volume is one element thick, and so several times too stiff where it bends; "
      "half the size or refine: 1 is better\n",
      first->name, more > 0 ? fmt::format(" and {} more", more) : "", 100 * first->one_element_thick);
}

/// Of many bodies, such as copies of one, all but the first have one line together.
void print_bodies(std::span<const simulation::BodyForecast> bodies)
{
  constexpr std::size_t most = 20;
  const std::size_t shown = bodies.size() <= most ? bodies.size() : most - 1;
  for (const auto& body : bodies.first(shown)) print_body(body);
  if (shown == bodies.size()) return;
  simulation::BodyForecast rest = bodies[shown];
  rest.name = fmt::format("{} more", bodies.size() - shown);
  for (const auto& body : bodies.subspan(shown + 1)) {
    rest.low = rest.low.cwiseMin(body.low), rest.high = rest.high.cwiseMax(body.high);
    rest.mass += body.mass, rest.nodes += body.nodes, rest.elements += body.elements;
  }
  print_body(rest);
}

Vec3 without_round_off(const Vec3& x)
{
  return (x.array().abs() > 1e-12 * x.cwiseAbs().maxCoeff()).select(x, Vec3::Zero());
}

/// So that a file in millimetres, or a path in them, is seen.
void print_obstacles(const config::Scene& scene)
{
  for (const contact::Obstacle& obstacle : scene.obstacles) {
    const Vec3 edges = simulation::edges_of_box(obstacle);
    const std::string size = edges.allFinite() ? lengths(edges) + " m" : "half-space";
    const double speed = simulation::given_speed(obstacle, scene.time.end);
    fmt::print("  obstacle   {}: {}, at {} m{}\n", obstacle.name, size,
               vector_text(without_round_off(rigid::centre_at_start(obstacle))),
               speed > 0 ? fmt::format(", {:.4g} m/s at the most", speed) : "");
  }
}

void print_selections(std::span<const simulation::SelectionForecast> selections)
{
  for (const auto& selection : selections)
    fmt::print("  selection  {}: {}{}\n", selection.path, count_text(selection.nodes, "nodes"),
               selection.of_load ? ", " + count_text(selection.faces, "faces") : "");
}

void print_step(const config::Scene& scene, const simulation::Forecast& f, const simulation::CostForecast& cost)
{
  const auto& [least, most] = f.limit.seconds;
  const std::string limit =
      most > least * 1.001 ? fmt::format("{:.4g} to {:.4g} s", least, most) : fmt::format("{:.4g} s", least);
  if (scene.solver.method != config::Method::explicit_dynamics) {
    fmt::print(
        "  time step  what the solver finds; the {} limit, which binds explicit steps alone, is {}, of an element of "
        "{}\n",
        f.limit.kind, limit, f.limit.body);
    return;
  }
  fmt::print("  time step  {:.4g} s; the {} limit is {}, of an element of {}\n", cost.step, f.limit.kind, limit,
             f.limit.body);
  fmt::print("  steps      {:.0f} to t = {:.4g} s", cost.unbroken_steps, scene.time.end);
  if (cost.steps.most > cost.unbroken_steps)
    fmt::print(" if nothing breaks; {:.0f} to {:.0f} with cracks, which make smaller elements", cost.steps.least,
               cost.steps.most);
  if (std::ranges::any_of(scene.materials, [](const auto& m) { return m.law == material::Law::neo_hookean; }))
    fmt::print("; more where neo_hookean material is deformed far");
  fmt::print("\n");
}

void print_wall_time(const config::Scene& scene, const simulation::CostForecast& cost, Rank ranks)
{
  const auto takes_energy = [](const auto& m) { return m.cohesion.energy > 0; };
  fmt::print("  wall time  {} to {}", duration(cost.unbroken_wall.least), duration(cost.unbroken_wall.most));
  if (cost.may_break)
    fmt::print(" if nothing breaks; {} to {} with cracks{}", duration(cost.wall.least), duration(cost.wall.most),
               std::ranges::any_of(scene.materials, takes_energy) ? ", more where links hold them together" : "");
  fmt::print(", on {}{}; set-up and output come on top\n", counted(ranks, "rank"),
             ranks > 1 ? " that share it evenly and wait for nobody" : "");
}

/// Nobody knows beforehand how many solves another solver takes, and how many iterations they do.
void print_cost(const config::Scene& scene, const simulation::CostForecast& cost, Rank ranks, double memory)
{
  if (scene.solver.method == config::Method::explicit_dynamics) print_wall_time(scene, cost, ranks);
  const std::string has = bytes_text(memory);
  fmt::print("  memory     {} to {} on {}{}\n", bytes_text(cost.rank_bytes.least), bytes_text(cost.rank_bytes.most),
             ranks == 1 ? fmt::format("1 rank, which has {}", has)
                        : fmt::format("the fullest of {} ranks, which have {} each", ranks, has),
             !cost.may_break ? ""
             : ranks == 1    ? "; more where much of it cracks"
                             : "; more where much of it cracks, or other ranks have more to do with each element");
  fmt::print("  output     {}{:.0f} frames, {} in all before compression", cost.more_frames ? "at least " : "",
             cost.frames, bytes_text(cost.frames * cost.frame_bytes.least));
  if (cost.frame_bytes.most > cost.frame_bytes.least)
    fmt::print("; {} if all of it is broken from the start", bytes_text(cost.frames * cost.frame_bytes.most));
  fmt::print("\n");
}

/// Collective. Memory a rank of the run has [bytes]: what was said, or a share of this node, which ranks fill core by
/// core.
double memory_of_rank(const Comm& comm, double given, Rank ranks)
{
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const double share =
      static_cast<double>(node_memory_bytes()) / std::max(comm.ranks_on_node(), std::min<Rank>(ranks, cores));
  return given > 0 ? given * GiB : comm.min(share);
}

/// Throws Error if the run has no room. Warns where it may not have, and then returns true.
bool refuse_without_room(const config::Scene& scene, const simulation::Forecast& f,
                         const simulation::CostForecast& cost, Rank ranks, double memory)
{
  if (cost.rank_bytes.most <= memory) return false;
  const auto enough = simulation::ranks_with_room(f.elements, memory, cost.files);
  std::string way = enough ? fmt::format("{} ranks with as much have room for them", *enough)
                           : "no number of ranks with so little has room for them";
  if (enough && *enough > f.coarse_nodes)
    way += fmt::format(", but a rank takes a node of the mesh before refine, which has {}", f.coarse_nodes);
  if (cost.rank_bytes.least > memory)
    throw Error(fmt::format(
        "{}: expected a run that fits {} on each of {}, got {} elements, which need at least "
        "{} there; {}",
        scene.name, bytes_text(memory), counted(ranks, "rank"), f.elements, bytes_text(cost.rank_bytes.least), way));
  log_warning(fmt::format("{} may need {} a rank, more than the {} each has; {}", scene.name,
                          bytes_text(cost.rank_bytes.most), bytes_text(memory), way));
  return true;
}

/// Throws Error if the step the scene asks for is surely too long.
void refuse_long_step(const config::Scene& scene, const simulation::LimitForecast& limit)
{
  if (scene.time.macro_step > 0) return;  // what does not bear the step is stepped more often
  if (scene.solver.method == config::Method::explicit_dynamics && scene.time.step > limit.seconds.most)
    throw Error(fmt::format("{}: expected at most {:.4g} s, the stable limit ({}) of an element of {}, got {:.4g} s",
                            config::message_key(scene, "time.step"), limit.seconds.most, limit.kind, limit.body,
                            scene.time.step));
}

/// Collective. Of the unbroken mesh.
void print_local_steps(const Comm& comm, simulation::LocalStepCounts counts)
{
  if (!counts.on) return;
  Reduction all;
  for (std::int64_t& elements : counts.elements) all.sum(elements);
  all.sum(counts.a_step);
  all.over(comm);
  if (comm.rank() != 0) return;
  fmt::print("  local      in a macro step");
  for (std::size_t k = 0; k < counts.elements.size(); ++k)
    if (k == 0 || counts.elements[k] > 0)
      fmt::print("{} {} elements take {}", k == 0 ? "" : ",", counts.elements[k], 1 << k);
  fmt::print(" steps of their own; {:.0f} evaluations of elements\n", counts.a_step);
}

/// Collective. What counting does not see, in a mesh that is set up in a second or two. Throws Error on every rank.
/// Returns how many warnings it gave.
/// @param said  warnings that the user has seen
std::int64_t check_in_full(const Comm& comm, const config::Scene& scene, std::span<const std::string> said)
{
  simulation::State state = simulation::set_up(comm, scene);
  const auto stepper = simulation::make_stepper(scene, state);
  print_local_steps(comm, stepper->local_step_counts());
  std::erase_if(state.warnings,
                [&](const std::string& warning) { return std::ranges::find(said, warning) != said.end(); });
  for (const std::string& warning : state.warnings) log_warning(warning);
  simulation::check_intervals(scene, scene.time.end, stepper->step_size());
  throw_on_all(comm, fracture::find_violation(state.model, *state.halo));
  return std::ssize(state.warnings);
}

/// Throws Error, as the run would.
void refuse_too_many_ranks(const simulation::Forecast& f, Rank ranks)
{
  if (ranks > f.coarse_nodes)
    throw Error(
        fmt::format("{} ranks for a mesh of {} nodes: expected at most one rank a node", ranks, f.coarse_nodes));
}

void check_scene(const Comm& comm, const CheckArguments& arguments)
{
  constexpr GlobalIndex most_set_up = 300'000;  // elements
  const config::Scene scene = read_scene(comm, arguments.file, arguments.overrides);
  const Rank ranks = arguments.ranks > 0 ? arguments.ranks : comm.size();
  const double memory = memory_of_rank(comm, arguments.memory, ranks);
  simulation::Forecast f;
  std::int64_t warnings = 0;
  on_rank_0(comm, [&] {
    f = simulation::make_forecast(scene);
    for (const std::string& warning : f.warnings) log_warning(warning);
    fmt::print("{}: {} nodes, {} elements\n", scene.name, f.nodes, f.elements);
    print_bodies(f.bodies);
    print_thin_bodies(scene, f.bodies);
    print_obstacles(scene);
    print_selections(f.selections);
    const simulation::CostForecast cost = simulation::cost_forecast(scene, f, ranks);
    print_step(scene, f, cost);
    print_cost(scene, cost, ranks, memory);
    std::fflush(stdout);
    refuse_too_many_ranks(f, ranks);
    warnings = std::ssize(f.warnings) + refuse_without_room(scene, f, cost, ranks, memory);
    refuse_long_step(scene, f.limit);
    simulation::check_intervals(scene, scene.time.end, cost.step);
  });
  if (comm.max(f.elements) <= most_set_up) warnings += check_in_full(comm, scene, f.warnings);
  if (comm.rank() == 0)
    fmt::print("{}: {}\n", scene.name,
               warnings == 0 ? "no problem found" : "no error, but " + counted(warnings, "warning"));
}

}  // namespace

void check(const Comm& comm, const CheckArguments& arguments)
{
  const bool of_a_scene = arguments.ranks > 0 || arguments.memory > 0 || !arguments.overrides.empty();
  if (of_a_scene && (io::is_mesh_file(arguments.file) || io::is_surface_file(arguments.file)))
    throw AgreedError(fmt::format("{}: expected a scene with --set, --ranks or --memory", arguments.file));
  if (io::is_mesh_file(arguments.file))
    on_rank_0(comm, [&] { check_mesh_file(arguments.file); });
  else if (io::is_surface_file(arguments.file))
    on_rank_0(comm, [&] { check_surface_file(arguments.file); });
  else
    check_scene(comm, arguments);
}

}  // namespace sunder::commands
