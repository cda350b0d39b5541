#include "partition/halo/halo.hpp"

#include "core/error.hpp"
#include "partition/owners.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace {

using namespace sunder;

/// What a node's owner sends: made of its global id, so that a wrong pairing shows.
double payload(const NodeId& id, int k)
{
  return test::random_number(id.low, static_cast<std::uint64_t>(k));
}

}  // namespace

TEST_CASE("every node has one owner and every element one primary rank, whatever the partition",
          "[partition][parallel]")
{
  const Comm world;
  for (const test::Owners& owners : test::all_owners()) {
    const mesh::MeshData box = test::box_mesh(4, 3, 3, 0.1);
    const auto nodes = static_cast<GlobalIndex>(box.nodes.size()), tets = static_cast<GlobalIndex>(box.tets.size());
    const auto problem = test::distributed(world, box, {test::chalk()}, owners);
    const mesh::TetMesh& mesh = problem.model.mesh;
    GlobalIndex owned = 0, primary = 0;
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) owned += mesh.owned(n);
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
      primary += mesh.primary(e);
      const Tet& t = mesh.tet(e);
      REQUIRE(std::any_of(t.begin(), t.end(), [&mesh](LocalIndex n) { return mesh.owned(n); }));
    }
    CHECK(world.sum(owned) == nodes);
    CHECK(world.sum(primary) == tets);
  }
}

TEST_CASE("ghosts get their owner's values, entry by entry", "[partition][parallel]")
{
  const Comm world;
  for (const test::Owners& owners : test::all_owners()) {
    const auto problem = test::distributed(world, test::box_mesh(4, 3, 3, 0.1), {test::chalk()}, owners);
    const mesh::TetMesh& mesh = problem.model.mesh;
    const auto n_nodes = static_cast<std::size_t>(mesh.num_nodes());
    std::vector<Row4> p(n_nodes), v(n_nodes);
    std::vector<NodeId> ids(n_nodes);
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
      if (!mesh.owned(n)) continue;
      const auto i = static_cast<std::size_t>(n);
      const NodeId id = mesh.node(n).id;
      p[i] = {payload(id, 0), payload(id, 1), payload(id, 2), 0},
      v[i] = {payload(id, 3), payload(id, 4), payload(id, 5), 0};
      ids[i] = {id.low + 1, id.low + 2};
    }
    problem.halo->owners_to_ghosts(std::span<Row4>(p), std::span<Row4>(v));
    problem.halo->owners_to_ghosts(std::span<NodeId>(ids));
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
      const auto i = static_cast<std::size_t>(n);
      const NodeId id = mesh.node(n).id;
      REQUIRE(p[i].xyz() == Vec3(payload(id, 0), payload(id, 1), payload(id, 2)));
      REQUIRE(v[i].xyz() == Vec3(payload(id, 3), payload(id, 4), payload(id, 5)));
      REQUIRE(ids[i] == NodeId{id.low + 1, id.low + 2});
    }
  }
}
