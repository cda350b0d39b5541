#include "simulation/setup.hpp"

#include "contact/penalty.hpp"
#include "core/error.hpp"
#include "partition/decompose.hpp"
#include "partition/hilbert.hpp"
#include "simulation/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sunder::simulation {
namespace {

struct MeshScale {
  double size = 0;  ///< Mean edge length [m]
  GlobalIndex nodes = 0, elements = 0;
};

partition::WholeMesh prepare(const config::Scene& scene, Rank ranks, MeshScale& scale,
                             std::vector<std::string>& warnings)
{
  partition::WholeMesh whole = assemble(scene, warnings);
  partition::order_along_hilbert(whole.data, whole.element_materials, whole.node_marks, whole.node_velocities);
  const auto method = scene.partition.method == "hilbert" ? partition::Method::hilbert : partition::Method::metis;
  whole.owners = partition::decompose(whole.data, ranks, method, scene.partition.seed);
  const auto sizes = partition::node_sizes(whole.data);
  scale.size = std::accumulate(sizes.begin(), sizes.end(), 0.0) / static_cast<double>(sizes.size());
  scale.nodes = static_cast<GlobalIndex>(whole.data.nodes.size());
  scale.elements = static_cast<GlobalIndex>(whole.data.tets.size());
  return whole;
}

std::vector<contact::Obstacle> completed_obstacles(const config::Scene& scene, double mesh_size)
{
  double modulus = 0;
  for (const auto& m : scene.materials) modulus = std::max(modulus, m.p_wave_modulus());
  auto obstacles = scene.obstacles;
  for (contact::Obstacle& o : obstacles)
    if (o.response.stiffness == 0) o.response.stiffness = contact::default_stiffness(modulus, mesh_size);
  return obstacles;
}

}  // namespace

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
  scale.size = comm.max(scale.size);
  problem.num_nodes = comm.max(scale.nodes), problem.num_elements = comm.max(scale.elements);
  problem.mesh_size = scale.size;
  problem.obstacles = completed_obstacles(scene, scale.size);

  partition::Part part = partition::distribute(comm, std::move(whole));
  problem.model = element::make_model(std::move(part.mesh), scene.materials,
                                      {scene.time.viscosity_cap, scene.time.mass_scaling_step});
  for (std::size_t n = 0; n < part.velocities.size(); ++n) problem.model.v[n].set_xyz(part.velocities[n]);
  problem.halo = std::make_unique<partition::Halo>(comm, problem.model.mesh);
  return problem;
}

}  // namespace sunder::simulation
