#include "commands/commands.hpp"
#include "commands/scene_argument.hpp"
#include "commands/shell_word.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/files/atomic_file.hpp"
#include "simulation/setup/coarse_mesh_source.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

namespace sunder::commands {
namespace {

/// The run that the file is for: of the same scene, with the same values replaced.
std::string run_command(const PartitionArguments& a)
{
  std::string command = fmt::format("mpirun -n {} sunder run {}", a.parts, shell_word(a.scene));
  for (const std::string& value : a.overrides) command += " --set " + shell_word(value);
  return command + " --mesh " + shell_word(a.output);
}

/// Throws Error for another ending: it may be a scene or a geometry, which would be gone.
void check_ending(const std::string& output)
{
  const std::string ending = std::filesystem::path(output).extension().string();
  if (ending != ".h5")
    throw Error(fmt::format("{}: expected a file to write that ends in .h5, got '{}'", output, ending));
}

}  // namespace

void partition(const Comm& comm, const PartitionArguments& a)
{
  const config::Scene scene = read_scene(comm, a.scene, a.overrides);
  if (!scene.partition.file.empty())
    throw AgreedError(
        fmt::format("{}: expected a scene whose bodies are still to be decomposed, got one that names a "
                    "decomposed mesh already: {}",
                    config::message_key(scene, "partition.file"), scene.partition.file));
  // PT-Scotch decomposes for the ranks that run it.
  if (scene.partition.method == "ptscotch")
    throw AgreedError(config::message_key(scene, "partition.method") +
                      ": expected metis or hilbert to decompose beforehand, got ptscotch");
  on_rank_0(comm, [&] {
    io::check_can_replace(a.output);
    check_ending(a.output);
  });
  simulation::write_coarse_mesh(comm, scene, a.parts, a.output);
  std::string found;
  on_rank_0(comm, [&] { found = simulation::describe_coarse_mesh(a.output); });
  log_info(found);  // on rank 0
  log_info("to run it: " + run_command(a));
}

}  // namespace sunder::commands
