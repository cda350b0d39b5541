#include "simulation/setup.hpp"

#include "contact/penalty.hpp"
#include "core/error.hpp"
#include "partition/decompose.hpp"
#include "partition/decompose_parallel.hpp"
#include "partition/hilbert.hpp"
#include "partition/refine.hpp"
#include "simulation/assemble.hpp"
#include "simulation/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sunder::simulation {
namespace {

/// Of the mesh once it is refined.
struct MeshScale {
  double size = 0;  ///< Mean edge length [m]
  GlobalIndex elements = 0;
};

MeshScale scale_of(const partition::WholeMesh& whole)
{
  MeshScale scale;
  std::vector<std::uint8_t> level(whole.data.nodes.size(), 0);
  for (std::size_t e = 0; e < whole.data.tets.size(); ++e) {
    scale.elements += GlobalIndex{1} << 3 * whole.element_levels[e];
    for (const GlobalIndex n : whole.data.tets[e]) level[static_cast<std::size_t>(n)] = whole.element_levels[e];
  }
  const auto sizes = partition::node_sizes(whole.data);
  double sum = 0, count = 0;
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    const double nodes = std::exp2(3 * level[n]);
    sum += nodes * std::exp2(-level[n]) * sizes[n], count += nodes;
  }
  scale.size = sum / count;
  return scale;
}

partition::WholeMesh prepare(const config::Scene& scene, Rank ranks, MeshScale& scale,
                             std::vector<std::string>& warnings)
{
  partition::WholeMesh whole = assemble(scene, warnings);
  partition::order_along_hilbert(whole);
  // PT-Scotch begins with blocks along the curve.
  const auto method = scene.partition.method == "metis" ? partition::Method::metis : partition::Method::hilbert;
  whole.owners = partition::decompose(whole.data, ranks, method, scene.partition.seed, whole.element_levels);
  scale = scale_of(whole);
  return whole;
}

}  // namespace

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
  Problem problem;
  partition::WholeMesh whole;
  MeshScale scale;
  std::optional<std::string> failure;
  if (comm.rank() == 0) {
    try {
      whole = prepare(scene, comm.size(), scale, problem.warnings);
    } catch (const Error& error) {
      failure = error.what();
    }
  }
  throw_on_all(comm, failure);
  if (scene.partition.method == "ptscotch")
    whole.owners = partition::decompose_in_parallel(comm, whole.data, whole.owners, whole.element_levels);
  scale.size = comm.max(scale.size);
  problem.num_elements = comm.max(scale.elements);
  problem.mesh_size = scale.size;
  problem.obstacles = completed_obstacles(scene, scale.size);

  partition::Part part = partition::refine(comm, partition::distribute(comm, std::move(whole)));
  PlacedMaterials materials = place_materials(scene);
  problem.model =
      element::make_model(std::move(part.mesh), std::move(materials.all),
                          {scene.time.viscosity_cap, scene.time.mass_scaling_step}, std::move(materials.interfaces));
  for (std::size_t n = 0; n < part.velocities.size(); ++n) problem.model.v[n].set_xyz(part.velocities[n]);
  problem.halo = std::make_unique<partition::Halo>(comm, problem.model.mesh);
  select_by_place(selections(scene), *problem.halo, problem.model.mesh);
  select_loaded_faces(scene, *problem.halo, problem.model.mesh);
  GlobalIndex owned = 0;
  for (LocalIndex n = 0; n < problem.model.mesh.num_nodes(); ++n) owned += problem.model.mesh.owned(n);
  problem.num_nodes = comm.sum(owned);
  return problem;
}

}  // namespace sunder::simulation
