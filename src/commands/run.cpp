#include "simulation/run/run.hpp"

#include "commands/commands.hpp"
#include "commands/scene_argument.hpp"
#include "commands/shell_word.hpp"
#include "config/schema.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/log.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace sunder::commands {

std::string version()
{
  return SUNDER_VERSION;
}

namespace {

void log_shortened_steps(const simulation::ShortenedSteps& steps)
{
  if (steps.count == 0) return;
  log_info(fmt::format("shorter than the limit at rest, by up to {:.3g} times: {}, {}", steps.most,
                       counted(steps.count, "step"),
                       steps.for_deformation() ? "for elements that were deformed far" : "for what moved fast"));
}

/// In equilibria a load that is there from the start does the work of its full value, of which bodies store half.
void log_energy_of_equilibria(const config::Scene& scene, const simulation::Summary& summary)
{
  constexpr double much = 0.1;
  if (scene.solver.method != config::Method::static_equilibrium || summary.energy.relative_error > -much) return;
  log_info(
      "in equilibria loads that are there from the start make an energy error of up to -50 %, those that grow with "
      "time "
      "none");
}

}  // namespace

ExitStatus run(const Comm& comm, const RunArguments& arguments)
{
  config::Scene scene = read_scene(comm, arguments.scene, arguments.overrides);
  if (!arguments.mesh.empty()) scene.partition.file = absolute(comm, arguments.mesh);
  if (!arguments.output.empty()) scene.output.directory = arguments.output;
  if (scene.output.directory.empty()) scene.output.directory = "out/" + scene.name;

  simulation::RunOptions options;
  options.until = arguments.until, options.steps = arguments.steps;
  options.completed_scene = config::to_yaml(scene);
  options.version = version(), options.quiet = arguments.quiet;
  options.restart = arguments.restart, options.overwrite = arguments.overwrite;
  const auto summary = simulation::run(comm, scene, options);
  if (!summary) {
    // scene.yaml has what --set said.
    const std::string& folder = scene.output.directory;
    log_warning(fmt::format("stopped on request; to go on: sunder run {} -o {} --restart latest",
                            shell_word(folder + "/scene.yaml"), shell_word(folder)));
    return ExitStatus::stopped_on_request;
  }
  const simulation::Summary& s = *summary;
  log_info(fmt::format(
      "done: t = {:.4g} s in {} and {:.1f} s; {}, {}, {}; "
      "energy error {:.2g} %; state {:016x}",
      s.time, counted(s.steps, "step"), s.wall.total, counted(s.fracture_events, "event"),
      counted(s.fragments, "fragment"), counted(s.elements, "element"), 100 * s.energy.relative_error, s.state_hash));
  log_info(fmt::format("smallest step {:.3g} s; least limit {:.3g} s ({}); {:.1f} ns an element-step a rank", s.dt_min,
                       s.step_limit.seconds, s.step_limit.text(), s.ns_per_element_step));
  log_energy_of_equilibria(scene, s);
  log_shortened_steps(s.shortened);
  if (s.num_repartitions > 0)
    log_info(fmt::format("repartitioned {}, each with a line in log.txt", counted(s.num_repartitions, "time")));
  const std::filesystem::path folder(scene.output.directory);
  const std::string open =
      scene.output.frames ? fmt::format("open {} in ParaView; ", (folder / (scene.name + ".pvd")).string()) : "";
  log_info(fmt::format("{}figures in {}", open, (folder / "summary.json").string()));
  return ExitStatus::done;
}

}  // namespace sunder::commands
