#include "commands/commands.hpp"
#include "commands/scene_argument.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "fracture/invariants.hpp"
#include "io/mesh_reader.hpp"
#include "mesh/mesh_check.hpp"
#include "simulation/diagnostics/frame_fields.hpp"
#include "simulation/run/schedule.hpp"
#include "simulation/setup/setup.hpp"
#include "simulation/stepping/explicit_stepper.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sunder::commands {
namespace {

void check_mesh_file(const std::string& file)
{
  mesh::MeshData data = io::read_mesh(file);
  const mesh::MeshReport report = mesh::check_mesh(data, mesh::Hinges::report);
  for (const auto& note : report.notes) fmt::print("{}: {}\n", file, note);
  if (!report.errors.empty()) throw Error(fmt::format("{}: {}", file, fmt::join(report.errors, "; ")));
  fmt::print("{}: {} nodes, {} elements, no problem found\n", file, data.nodes.size(), data.tets.size());
}

void check_scene(const Comm& comm, const CheckArguments& arguments)
{
  const config::Scene scene = read_scene(comm, arguments.file, arguments.overrides);
  simulation::State state = simulation::set_up(comm, scene);
  const simulation::ExplicitStepper stepper(scene, state);
  simulation::check_intervals(scene, scene.time.end, stepper.step_size());
  throw_on_all(comm, fracture::find_violation(state.model, *state.halo));
  const auto bytes = static_cast<double>(comm.max(peak_resident_bytes()));
  if (comm.rank() != 0) return;
  const double frames =
      scene.output.frames ? 1 + (scene.output.frame_interval > 0 ? scene.time.end / scene.output.frame_interval : 30.0)
                          : 0.0;
  fmt::print("{}: no problem found\n", scene.name);
  fmt::print("  mesh       {} nodes, {} elements on {} ranks\n", state.initial_nodes, state.initial_elements,
             comm.size());
  fmt::print("  time step  {:.4g} s; {} limit {:.4g} s of element {}\n", stepper.step_size(), stepper.limit().kind,
             stepper.limit().seconds, stepper.limit().element);
  fmt::print("  steps      {:.0f} to t = {:.4g} s, more once cracks make smaller elements\n",
             std::ceil(scene.time.end / stepper.step_size()), scene.time.end);
  fmt::print("  memory     {:.1f} MiB on the fullest rank\n", bytes / (1 << 20));
  fmt::print("  output     {:.0f} frames, {:.1f} MiB in all before compression\n", frames,
             frames *
                 static_cast<double>(
                     simulation::frame_bytes({scene.output.fields}, state.initial_nodes, state.initial_elements)) /
                 (1 << 20));
}

}  // namespace

void check(const Comm& comm, const CheckArguments& arguments)
{
  if (io::is_mesh_file(arguments.file))
    on_rank_0(comm, [&] { check_mesh_file(arguments.file); });
  else
    check_scene(comm, arguments);
}

}  // namespace sunder::commands
