#include "simulation/setup/setup.hpp"

#include "contact/law/penalty.hpp"
#include "core/fault_point.hpp"
#include "partition/refine.hpp"
#include "simulation/setup/coarse_mesh.hpp"
#include "simulation/setup/scene_mesh.hpp"
#include "simulation/setup/selection.hpp"

#include <algorithm>

namespace sunder::simulation {
std::vector<contact::Obstacle> completed_obstacles(const config::Scene& scene, double mesh_size)
{
  double modulus = 0;
  for (const auto& m : scene.materials) modulus = std::max(modulus, m.p_wave_modulus());
  auto obstacles = scene.obstacles;
  for (contact::Obstacle& o : obstacles)
    if (o.response.stiffness == 0) o.response.stiffness = contact::default_stiffness(modulus, mesh_size);
  return obstacles;
}

Problem set_up(const Comm& comm, const config::Scene& scene)
{
  CoarseMesh coarse = coarse_mesh(comm, scene);
  Problem problem;
  problem.warnings = std::move(coarse.warnings);
  problem.num_elements = coarse.elements, problem.mesh_size = coarse.size;
  problem.obstacles = completed_obstacles(scene, coarse.size);

  partition::Part part = partition::refine(comm, std::move(coarse.part));
  PlacedMaterials materials = place_materials(scene);
  problem.model =
      element::make_model(std::move(part.mesh), std::move(materials.all),
                          {scene.time.viscosity_cap, scene.time.mass_scaling_step}, std::move(materials.interfaces));
  if (fault_point(FaultKind::check, "set-up: elements"))
    note(problem.model.problem, std::string("an element of the mesh: material volume 0 m^3, expected > 0"));
  throw_on_all(comm, problem.model.problem);
  for (std::size_t n = 0; n < part.velocities.size(); ++n) problem.model.v[n].set_xyz(part.velocities[n]);
  problem.halo = std::make_unique<partition::Halo>(comm, problem.model.mesh);
  select_by_place(selections(scene), *problem.halo, problem.model.mesh);
  mark_face_sets(part.marked_faces, *problem.halo, problem.model.mesh);
  select_loaded_faces(scene, part.surface_marks, *problem.halo, problem.model.mesh);
  find_face_sets(scene, comm, problem.model.mesh);
  GlobalIndex owned = 0;
  for (LocalIndex n = 0; n < problem.model.mesh.num_nodes(); ++n) owned += problem.model.mesh.owned(n);
  problem.num_nodes = comm.sum(owned);
  return problem;
}

}  // namespace sunder::simulation
