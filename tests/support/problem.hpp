#pragma once
/// Distributed problems for tests, without files.

#include "element/make_model.hpp"
#include "partition/decompose/decompose.hpp"
#include "partition/decompose/hilbert.hpp"
#include "partition/distribute/distribute.hpp"
#include "partition/halo/halo.hpp"
#include "partition/refine/refine.hpp"
#include "support/cube_mesh.hpp"

#include <functional>
#include <memory>

namespace sunder::test {

struct TestProblem {
  element::Model model;
  std::unique_ptr<partition::Halo> halo;
};

/// A made-up, fairly soft and brittle solid.
inline material::Material chalk(double toughness = 50)
{
  material::Material m;
  m.name = "chalk", m.lambda = 2e6, m.mu = 3e6, m.phi = 10, m.psi = 15, m.density = 1000, m.toughness = toughness;
  return m;
}

/// How nodes go to ranks.
using Owners = std::function<std::vector<Rank>(const mesh::MeshData&, Rank ranks)>;

inline Owners by_method(partition::Method method)
{
  return [method](const mesh::MeshData& mesh, Rank ranks) { return partition::decompose(mesh, ranks, method, 1); };
}

/// Every node to a rank drawn at random: parts with hardly an inner element.
inline Owners scattered(std::uint64_t seed)
{
  return [seed](const mesh::MeshData& mesh, Rank ranks) {
    std::vector<Rank> owners;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
      owners.push_back(
          static_cast<Rank>(combine(combine(0, seed), std::uint64_t{n}) % static_cast<std::uint64_t>(ranks)));
    return owners;
  };
}

/// Collective on comm. Rank 0 has the whole mesh; what it leaves out is zero, but elements take the
/// materials in turn.
inline TestProblem distributed(const Comm& comm, partition::WholeMesh whole, std::vector<material::Material> materials,
                               const Owners& owners)
{
  if (comm.rank() == 0) {
    for (std::size_t e = whole.element_materials.size(); e < whole.data.tets.size(); ++e)
      whole.element_materials.push_back(static_cast<MaterialIndex>(e % materials.size()));
    whole.node_marks.resize(whole.data.nodes.size(), 0);
    whole.node_velocities.resize(whole.data.nodes.size(), Vec3::Zero());
    partition::order_along_hilbert(whole);
    whole.owners = owners(whole.data, comm.size());
  }
  partition::Part part = partition::refine(comm, partition::distribute(comm, std::move(whole)));
  TestProblem problem;
  problem.model = element::make_model(std::move(part.mesh), std::move(materials), {});
  for (std::size_t n = 0; n < part.velocities.size(); ++n) problem.model.v[n].set_xyz(part.velocities[n]);
  problem.halo = std::make_unique<partition::Halo>(comm, problem.model.mesh);
  return problem;
}

/// Collective on comm. Every element divided into eight `levels` times.
inline TestProblem distributed(const Comm& comm, mesh::MeshData mesh, std::vector<material::Material> materials,
                               const Owners& owners, std::uint8_t levels = 0)
{
  partition::WholeMesh whole;
  whole.element_levels.resize(mesh.tets.size(), levels);
  whole.data = std::move(mesh);
  return distributed(comm, std::move(whole), std::move(materials), owners);
}

/// A node's entry of positions, velocities or forces.
inline Vec3 at(const std::vector<Row4>& field, LocalIndex n)
{
  return field[static_cast<std::size_t>(n)].xyz();
}

}  // namespace sunder::test
