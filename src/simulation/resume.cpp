#include "simulation/resume.hpp"

#include "config/differences.hpp"
#include "core/error.hpp"
#include "io/bodies_file.hpp"
#include "simulation/assemble.hpp"
#include "simulation/bodies.hpp"

#include <fmt/format.h>

namespace sunder::simulation {

Resumption read_resumption(const Comm& comm, const std::filesystem::path& file, const std::string& completed_scene)
{
  io::StoredBodies checkpoint = io::read_bodies(comm, file);
  Resumption from;
  from.state = run_state_from_json(checkpoint.state, file.string());
  const auto different = config::first_difference(from.state.scene, completed_scene,
                                                  {"title", "time", "output", "partition", "checkpoint"});
  if (different)
    throw Error(fmt::format("{}: expected a checkpoint of this scene, but {} (scene.yaml of that run has it whole)",
                            file.string(), *different));
  from.bodies = partition::redistribute(comm, std::move(checkpoint.bodies), from.state.ranks == comm.size());
  return from;
}

Problem set_up(const Comm& comm, const config::Scene& scene, Resumption& from)
{
  Problem problem;
  PlacedMaterials materials = place_materials(scene);
  problem.model = model_from(comm.rank(), from.bodies, std::move(materials.all),
                             {scene.time.viscosity_cap, scene.time.mass_scaling_step}, std::move(materials.interfaces));
  problem.model.rounds = from.state.rounds;
  problem.halo = std::make_unique<partition::Halo>(comm, problem.model.mesh);
  problem.obstacles = completed_obstacles(scene, from.state.mesh_size);
  problem.num_nodes = from.state.num_nodes, problem.num_elements = from.state.num_elements;
  problem.mesh_size = from.state.mesh_size;
  problem.warnings = from.state.warnings;
  return problem;
}

}  // namespace sunder::simulation
