#include "simulation/forecast/cost.hpp"

#include "simulation/diagnostics/crack_surface.hpp"
#include "simulation/diagnostics/frame_fields.hpp"
#include "simulation/stepping/equilibrium_stepper.hpp"
#include "simulation/stepping/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::simulation {
namespace {

/// Steps of runs that broke, over those of their unbroken mesh: 2.1 to 5.3 in seven shipped scenes. With mass scaling
/// below the limit most runs end up at its step.
constexpr double greatest_step_ratio = 6.8, usual_step_ratio = 3.3;
/// time.mass_scaling_step holds the limit of the elements of a cut mesh, and contact shortens it a little.
constexpr double scaled_step_ratio = 1.15;
/// Wall time an element of the unbroken mesh and step takes [s]: with cracks whose faces touch; without either.
constexpr Range wall_touching{200e-9, 800e-9};
constexpr Range wall_apart{30e-9, 120e-9};

/// Elements and nodes of the shipped scene that shatters most, over elements of its unbroken mesh; its crack faces.
constexpr double elements_of_broken = 2.4, nodes_of_broken = 2.2, crack_faces_of_broken = 2.2;

constexpr Range program_bytes{75e6, 100e6};          ///< And libraries, and what a run has of its own.
constexpr Range bytes_an_element{200, 500};          ///< Of a held element (summary.json: bytes_per_element).
constexpr Range frame_copies{1.5, 2.5};              ///< That a rank has of what it writes of a frame, while it does.
constexpr double largest_file = 5e8;                 ///< Of one frame, unless output.pieces says how many [bytes].
constexpr double most_elements_a_rank = 2147483647;  ///< A local index has 31 bits.

/// Elements that the fullest rank holds, those of other ranks along its border included (docs/scaling.md).
double held_elements(GlobalIndex elements, Rank ranks)
{
  const double n = static_cast<double>(elements) / ranks;
  const double border = 6 * (1 - 1 / std::cbrt(ranks));  // in faces of a cube of the rank's part
  return std::min(static_cast<double>(elements), 1.004 * n + 1.43 * std::pow(n, 2.0 / 3) * border);
}

/// Explicit steps meet the times of rows and frames: so many of each length up to the next one.
double explicit_steps(const config::Scene& scene, double step)
{
  const double end = scene.time.end;
  const double row = scene.output.history_interval > 0 ? scene.output.history_interval : end / 100;
  const double frame = !scene.output.frames              ? end
                       : scene.output.frame_interval > 0 ? scene.output.frame_interval
                                                         : end / 30;
  constexpr double too_many = 1e6, round_off = 1e-9;
  if (end / std::min(row, frame) > too_many) return std::ceil(end / std::min({step, row, frame}));
  double steps = 0, time = 0;
  for (double rows = 1, frames = 1; time < end * (1 - round_off);) {
    const double next = std::min({rows * row, frames * frame, end});
    steps += std::max(1.0, std::ceil((next - time) / step * (1 - round_off)));
    time = next;
    if (rows * row <= time * (1 + round_off)) ++rows;
    if (frames * frame <= time * (1 + round_off)) ++frames;
  }
  return steps;
}

/// Steps of a run that breaks.
struct BrokenSteps {
  Range all;
  double usual = 0;
};

BrokenSteps broken_steps(const config::Scene& scene, double limit, double unbroken)
{
  double most = greatest_step_ratio * unbroken, usual = usual_step_ratio * unbroken;
  if (const double T = scene.time.mass_scaling_step; T > 0 && T < limit) {
    const double scaled = scene.time.end / (scene.time.safety * scene.time.step_factor * T);
    usual = std::min(most, scaled), most = std::min(most, scaled_step_ratio * scaled);
  }
  most = std::max(most, scaled_step_ratio * unbroken);
  return {{std::max(unbroken, most / 4), most}, usual};
}

/// With local steps elements that cuts leave small do not shorten the step of the others. What the run takes is at most
/// what it takes with one step for all, so many steps of the unbroken mesh.
BrokenSteps broken_local_steps(const config::Scene& scene, double limit, double unbroken)
{
  const double one_step = scene.time.safety * scene.time.step_factor * limit;
  return {{unbroken, scaled_step_ratio * unbroken}, broken_steps(scene, limit, explicit_steps(scene, one_step)).usual};
}

/// Nominal, at first.
double first_step(const config::Scene& scene, double limit)
{
  if (scene.time.step > 0) return scene.time.step;
  if (scene.time.macro_step > 0) return std::min(scene.time.macro_step, StepControl::longest_macro_step(limit));
  return scene.time.safety * scene.time.step_factor * limit;
}

bool may_break(const config::Scene& scene)
{
  return scene.fracture.enabled && std::any_of(scene.materials.begin(), scene.materials.end(),
                                               [](const material::Material& m) { return m.breakable(); });
}

Range times(const Range& a, double factor)
{
  return {a.least * factor, a.most * factor};
}

/// A frame of the bodies, and of the outer surface and the cracks where these are written.
Range all_frame_bytes(const config::Scene& scene, const Forecast& forecast, bool breaks)
{
  const auto bytes = [&](GlobalIndex nodes, GlobalIndex elements, GlobalIndex outer, GlobalIndex cracks) {
    std::int64_t sum = frame_bytes({scene.output.fields}, nodes, elements);
    if (scene.output.surface) {
      const GlobalIndex triangles = outer + cracks * ((GlobalIndex{1} << 2 * scene.output.surface_detail.levels) - 1);
      sum += frame_bytes({scene.output.fields}, triangles / 2 + 2, triangles);  // a closed surface
    }
    if (scene.output.cracks && cracks > 0) sum += crack_frame_bytes(cracks);
    return static_cast<double>(sum);
  };
  const double least = bytes(forecast.nodes, forecast.elements, forecast.surface_faces, 0);
  if (scene.solver.method == config::Method::lattice)  // which cuts no element: each by itself
    return {least, bytes(4 * forecast.elements, forecast.elements, 4 * forecast.elements,
                         4 * forecast.elements - forecast.surface_faces)};
  if (!breaks) return {least, least};
  const auto so_many = [&](double ratio) {
    return static_cast<GlobalIndex>(ratio * static_cast<double>(forecast.elements));
  };
  const GlobalIndex cracks = so_many(crack_faces_of_broken);
  return {least, bytes(so_many(nodes_of_broken), so_many(elements_of_broken), forecast.surface_faces + cracks, cracks)};
}

}  // namespace

CostForecast cost_forecast(const config::Scene& scene, const Forecast& forecast, Rank ranks)
{
  CostForecast cost;
  const bool fixed = scene.time.step > 0;
  const double limit = forecast.limit.seconds.least;
  cost.step = first_step(scene, limit);
  cost.unbroken_steps = scene.solver.method == config::Method::explicit_dynamics
                            ? explicit_steps(scene, cost.step)
                            : std::ceil(scene.time.end / cost.step);
  cost.may_break = may_break(scene);
  const BrokenSteps broken =
      cost.may_break && !fixed
          ? (scene.time.local_steps == "off" ? broken_steps : broken_local_steps)(scene, limit, cost.unbroken_steps)
          : BrokenSteps{{cost.unbroken_steps, cost.unbroken_steps}, cost.unbroken_steps};
  cost.steps = broken.all;
  const double elements_a_rank = static_cast<double>(forecast.elements) / ranks;
  cost.unbroken_wall = times(wall_apart, cost.unbroken_steps * elements_a_rank);
  cost.wall =
      times(cost.may_break && scene.collisions.enabled ? wall_touching : wall_apart, broken.usual * elements_a_rank);
  cost.frame_bytes = all_frame_bytes(scene, forecast, cost.may_break);
  if (scene.output.frames) {
    const bool automatic = scene.output.frame_interval == 0;
    cost.more_frames = automatic && scene.solver.method == config::Method::static_equilibrium;
    const double interval = !automatic         ? scene.output.frame_interval
                            : cost.more_frames ? longest_step(scene)
                                               : scene.time.end / 30;
    cost.frames = 1 + std::ceil(scene.time.end / interval * (1 - 1e-9));
    if (automatic && scene.solver.method == config::Method::lattice)
      cost.frames += static_cast<double>(scene.lattice.steps);  // of the impact, each with a frame
    const double frame = cost.frame_bytes.least, pieces = static_cast<double>(scene.output.pieces);
    cost.files = {frame, pieces > 0 ? frame / pieces : largest_file};
  }
  cost.rank_bytes = rank_bytes(forecast.elements, ranks, cost.files);
  return cost;
}

Range rank_bytes(GlobalIndex elements, Rank ranks, const FrameFiles& files)
{
  const double held = held_elements(elements, ranks);
  const double written = std::max(files.frame / ranks, std::min(files.frame, files.largest_file));
  return {program_bytes.least + bytes_an_element.least * held + frame_copies.least * written,
          program_bytes.most + bytes_an_element.most * held + frame_copies.most * written};
}

std::optional<Rank> ranks_with_room(GlobalIndex elements, double bytes_a_rank, const FrameFiles& files)
{
  const auto room = [&](Rank ranks) {
    return rank_bytes(elements, ranks, files).most <= bytes_a_rank &&
           held_elements(elements, ranks) < most_elements_a_rank;
  };
  constexpr Rank most = Rank{1} << 24;
  Rank enough = 1;
  while (!room(enough) && enough < most) enough *= 2;
  if (!room(enough)) return std::nullopt;
  Rank few = enough / 2;  // has none
  while (enough - few > 1) {
    const Rank middle = few + (enough - few) / 2;
    (room(middle) ? enough : few) = middle;
  }
  return enough;
}

}  // namespace sunder::simulation
