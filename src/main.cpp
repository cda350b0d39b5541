/// The command line, and nothing else.

#include "commands/commands.hpp"
#include "config/suggest.hpp"
#include "core/comm.hpp"
#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/log.hpp"
#include "core/mpi_session.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace sunder;

/// Refuses what is no T for which holds() is true. expected: what is said of it, as of a key of a scene.
template <class T>
CLI::Validator number(std::string expected, bool (*holds)(T))
{
  return CLI::Validator(
      [=](const std::string& text) {
        T value{};
        const bool fits = CLI::detail::lexical_cast(text, value) && holds(value);
        return fits ? std::string() : fmt::format("expected {}, got '{}'", expected, text);
      },
      "");
}

/// Refuses words for which holds() is false.
CLI::Validator word(std::string expected, bool (*holds)(const std::string&))
{
  return CLI::Validator(
      [=](const std::string& text) {
        return holds(text) ? std::string() : fmt::format("expected {}, got '{}'", expected, text);
      },
      "");
}

CLI::Validator positive_number(const std::string& unit)
{
  return number<double>(fmt::format("a number > 0 [{}]", unit), [](double x) { return x > 0 && std::isfinite(x); });
}

CLI::Validator positive_count()
{
  return number<std::int32_t>("a whole number >= 1", [](std::int32_t n) { return n >= 1; });
}

void add_run(CLI::App& app, commands::RunArguments& a)
{
  CLI::App* run = app.add_subcommand("run", "Run a scene and write its output folder");
  run->add_option("scene", a.scene, "Scene file, or the name of a shipped scene")->required();
  run->add_option("-o,--output", a.output, "Output folder (default: out/NAME)")
      ->check(word("a folder", [](const std::string& folder) { return !folder.empty(); }));
  run->add_flag("--overwrite", a.overwrite,
                "Begin anew in a folder another run has written into, and lose what it left");
  run->add_option("--set", a.overrides, "Replace a value of the scene: key.path=value; may be repeated");
  run->add_option("--until", a.until, "Stop at this simulated time [s]")->check(positive_number("s"));
  run->add_option("--steps", a.steps, "Stop after this many steps, counted from the run's beginning")
      ->check(number<std::int64_t>("a whole number >= 0", [](std::int64_t n) { return n >= 0; }));
  run->add_option("--restart", a.restart, "Go on from a checkpoint: a file, or latest (of the output folder)");
  run->add_option("--mesh", a.mesh, "Its bodies as sunder partition decomposed them (partition.file)");
  run->add_flag("-q,--quiet", a.quiet, "Warnings and errors only");
}

void add_check(CLI::App& app, commands::CheckArguments& a)
{
  CLI::App* check = app.add_subcommand(
      "check", "Validate a scene, a mesh or a surface: sizes, time step, steps, wall time, memory, output");
  check
      ->add_option(
          "file", a.file,
          "Scene (.yaml, or the name of a shipped one), mesh (.msh, .vtu, .pvtu, .ele) or surface (.stl, .obj, .ply)")
      ->required();
  check->add_option("--set", a.overrides, "Replace a value of the scene: key.path=value; may be repeated");
  check->add_option("-n,--ranks", a.ranks, "Ranks the run is meant for (default: those of this command)")
      ->check(positive_count());
  check->add_option("--memory", a.memory, "Memory each of them has [GiB] (default: its share of this node)")
      ->check(positive_number("GiB"));
}

void add_partition(CLI::App& app, commands::PartitionArguments& a)
{
  CLI::App* partition = app.add_subcommand(
      "partition",
      "Mesh a scene's bodies and decompose them for many ranks beforehand: with run --mesh each rank reads its part");
  partition->add_option("scene", a.scene, "Scene file, or the name of a shipped scene")->required();
  partition->add_option("-n,--parts", a.parts, "Ranks it is meant for; others can run it, and decompose it anew")
      ->required()
      ->check(positive_count());
  partition->add_option("-o,--output", a.output, "File to write (.h5)")->required();
  partition->add_option("--set", a.overrides, "Replace a value of the scene: key.path=value; may be repeated");
}

void add_mesh(CLI::App& app, commands::MeshArguments& a)
{
  CLI::App* mesh =
      app.add_subcommand("mesh", "Make tetrahedra from a closed surface (.stl, .obj, .ply) or a solid geometry (.geo)");
  mesh->add_option("geometry", a.geometry, "Geometry file, or the name of a shipped one")->required();
  mesh->add_option("-o,--output", a.output, "Mesh to write: .msh (Gmsh) or .vtu (VTK)")->required();
  mesh->add_option("--size", a.size, "Edge length aimed at [m]")->required()->check(positive_number("m"));
  mesh->add_option("--grading", a.grading, "How fast sizes may change, in [0.001, 1] (default 0.3; surfaces)")
      ->check(number<double>("a number in [0.001, 1] [-]", [](double x) { return x >= 1e-3 && x <= 1; }));
  mesh->add_flag("--flip", a.flip, "The surface is inside out: take its triangles the other way round");
  mesh->add_option("--up", a.up, "Axis of the geometry that points up: the mesh is turned so that it is z")
      ->check(word("one of x y z", [](const std::string& axis) { return axis == "x" || axis == "y" || axis == "z"; }));
}

/// What is wrong with the command line.
std::string problem(const CLI::App* app, const CLI::Error& error)
{
  std::vector<std::string> commands;
  for (const CLI::App* command : app->get_subcommands({})) commands.push_back(command->get_name());
  const std::vector<std::string> left = app->remaining();
  const bool no_command = app->get_subcommands().empty() && !commands.empty();
  const std::string text = no_command && !left.empty() ? config::expected_one_of(left.front(), commands) : error.what();
  return fmt::format("error: {}\nRun with --help for more information.\n", text);
}

/// Help and the version, or what is wrong with the command line: rank 0 alone says it.
int end_without_command(const CLI::App& app, const CLI::ParseError& error, const Comm& world)
{
  if (world.rank() == 0) app.exit(error);
  return static_cast<int>(error.get_exit_code() == 0 ? ExitStatus::done : ExitStatus::bad_input);
}

void add_info(CLI::App& app, std::string& file)
{
  app.add_subcommand("info", "What a mesh, a surface, a checkpoint or an output folder holds, and how far a run is")
      ->add_option("file", file, "Mesh, surface (.stl, .obj, .ply), checkpoint or output folder")
      ->required();
}

int run_command(int argc, char** argv)
{
  CLI::App app("sunder: solid bodies deform, crack and shatter, the same on any number of ranks");
  app.set_version_flag("--version", commands::version());
  app.require_subcommand(1);
  app.failure_message(problem);
  app.footer(
      "Start with:  mpirun -n 2 sunder run wall\nExit status: 0 done, 2 bad input, 3 the simulation failed,\n75 "
      "stopped on request after a checkpoint: go on with --restart latest.");
  commands::RunArguments run;
  commands::CheckArguments check;
  commands::MeshArguments mesh;
  commands::PartitionArguments partition;
  std::string info;
  bool markdown = false;
  add_run(app, run);
  add_check(app, check);
  add_mesh(app, mesh);
  add_partition(app, partition);
  add_info(app, info);
  app.add_subcommand("schema", "Every key of a scene file: type, unit, range, default, meaning")
      ->add_flag("--markdown", markdown, "As the reference page of the documentation");
  app.add_subcommand("materials", "The material library, with sources");

  const Comm world;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_without_command(app, error, world);
  }
  set_up_log(world.rank() == 0, run.quiet);
  refuse_unlike_nodes(world);
  if (app.got_subcommand("run"))
    return static_cast<int>(commands::run(world, run));
  else if (app.got_subcommand("check"))
    commands::check(world, check);
  else if (app.got_subcommand("info"))
    commands::info(world, info);
  else if (app.got_subcommand("mesh"))
    commands::make_mesh(world, mesh);
  else if (app.got_subcommand("partition"))
    commands::partition(world, partition);
  else if (app.got_subcommand("schema"))
    commands::print_schema(world, markdown);
  else
    commands::print_materials(world);
  commands::finish_printing(world);
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  // A rank has one core. Threads of VTK would take those of other ranks.
  setenv("VTK_SMP_BACKEND_IN_USE", "Sequential", /*overwrite=*/0);
  const sunder::MpiSession session(argc, argv);  // what is thrown by one rank alone ends the job there
  try {
    return run_command(argc, argv);
  } catch (const sunder::AgreedError& error) {
    sunder::log_error(error.what());
    return static_cast<int>(error.status());
  }
}
