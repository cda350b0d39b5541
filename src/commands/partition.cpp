#include "commands/commands.hpp"
#include "commands/scene_argument.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/atomic_file.hpp"
#include "simulation/setup/coarse_mesh_source.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

namespace sunder::commands {

void partition(const Comm& comm, const PartitionArguments& a)
{
  const config::Scene scene = read_scene(comm, a.scene, a.overrides);
  if (!scene.partition.file.empty())
    throw AgreedError(
        fmt::format("partition.file: expected a scene whose bodies are still to be decomposed, got one that names a "
                    "decomposed mesh already: {}",
                    scene.partition.file));
  // PT-Scotch decomposes for the ranks that run it.
  if (scene.partition.method == "ptscotch")
    throw AgreedError("partition.method: expected metis or hilbert to decompose beforehand, got ptscotch");
  on_rank_0(comm, [&] { io::check_can_replace(a.output); });
  simulation::write_coarse_mesh(comm, scene, a.parts, a.output);
  std::string found;
  on_rank_0(comm, [&] { found = simulation::describe_coarse_mesh(a.output); });
  log_info(found);  // on rank 0
  log_info(fmt::format("to run it: mpirun -n {} sunder run {} --mesh {}", a.parts, a.scene, a.output));
}

}  // namespace sunder::commands
