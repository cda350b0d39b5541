#include "simulation/run/restart.hpp"

#include "config/differences.hpp"
#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/log.hpp"
#include "io/bodies_file.hpp"
#include "partition/row_check.hpp"
#include "simulation/model_records.hpp"
#include "simulation/setup/scene_mesh.hpp"
#include "simulation/setup/selection.hpp"

#include <fmt/format.h>

namespace sunder::simulation {

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
  const partition::RowLimits limits{.parts = from.state.ranks, .materials = place_materials(scene).all.size()};
  if (const auto problem = partition::unsound_row(comm, checkpoint.bodies, limits))
    throw AgreedError(
        fmt::format("{}: expected a checkpoint that agrees with itself, found {}", file.string(), *problem));
  from.bodies = partition::redistribute(comm, std::move(checkpoint.bodies), from.state.ranks == comm.size());
  return from;
}

Problem set_up(const Comm& comm, const config::Scene& scene, RestartState& from)
{
  Problem problem;
  PlacedMaterials materials = place_materials(scene);
  problem.model = model_from(comm.rank(), from.bodies, std::move(materials.all),
                             {scene.time.viscosity_cap, scene.time.mass_scaling_step}, std::move(materials.interfaces));
  throw_on_all(comm, problem.model.problem);
  problem.model.rounds = from.state.rounds;
  find_face_sets(scene, comm, problem.model.mesh);
  problem.halo = std::make_unique<partition::Halo>(comm, problem.model.mesh);
  problem.obstacles = completed_obstacles(scene, from.state.mesh_size);
  problem.num_nodes = from.state.num_nodes, problem.num_elements = from.state.num_elements;
  problem.mesh_size = from.state.mesh_size;
  problem.warnings = from.state.warnings;
  return problem;
}

}  // namespace sunder::simulation
