#include "element/cohesion.hpp"
#include "fracture/apply.hpp"
#include "support/by_hand.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

using namespace sunder;

namespace {

material::Material cohesive()
{
  material::Material m = test::chalk();
  m.toughness_form = material::ToughnessForm::stress, m.toughness = 1e6, m.cohesion.energy = 10;
  return m;
}

test::TestProblem cohesive_box(const Comm& comm, const test::Owners& owners)
{
  return test::distributed(comm, test::box_mesh(3, 3, 3, 0.1), {cohesive()}, owners);
}

/// Each layer of nodes to another rank: none that is above the crack has an element below it.
std::vector<Rank> by_layer(const mesh::MeshData& mesh, Rank ranks)
{
  std::vector<Rank> owners;
  for (const Vec3& X : mesh.nodes) owners.push_back(static_cast<Rank>(std::lround(X.z() / 0.1)) % ranks);
  return owners;
}

/// Collective. Splits a node across; returns the owned nodes that are evaluated again, and whether a young crack is
/// beside them.
std::map<NodeId, bool> split(test::TestProblem& problem, const fracture::NodeSplit& split)
{
  fracture::MeshDelta delta;
  delta.cohesive = true;
  fracture::apply_split(problem.model, split, delta);
  fracture::refresh(problem.model, delta);
  fracture::update_halo(problem.model, *problem.halo, delta);
  std::map<NodeId, bool> beside;
  for (const LocalIndex n : delta.nodes)
    if (problem.model.mesh.owned(n))
      beside[problem.model.mesh.node(n).id] = element::beside_young_crack(problem.model, n);
  return beside;
}

}  // namespace

TEST_CASE("all nodes beside a new crack are asked again whether they fail, whoever owns them",
          "[fracture][cohesion][parallel]")
{
  const Comm world;
  for (const test::Owners& owners : {test::Owners(by_layer), test::scattered(1), test::scattered(2)}) {
    auto together = cohesive_box(world, owners);
    auto alone = cohesive_box(Comm(MPI_COMM_SELF), test::by_method(partition::Method::hilbert));
    const mesh::TetMesh& mesh = alone.model.mesh;
    LocalIndex inner = 0;
    while ((mesh.node(inner).X - Vec3(0.1, 0.1, 0.1)).norm() > 1e-9) ++inner;
    const auto across = test::split_below(mesh, inner);
    const auto expected = split(alone, across), mine = split(together, across);
    for (const auto& [id, beside] : mine) CHECK(beside == expected.at(id));
    CHECK(world.sum(std::ssize(mine)) == std::ssize(expected));
  }
}
