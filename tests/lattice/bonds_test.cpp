#include "lattice/bonds.hpp"

#include "bond_graph.hpp"
#include "support/all_gather.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

using namespace sunder;

namespace {

using Keys = std::vector<lattice::BondKey>;

/// A face by its nodes' ids, and the elements beside it.
std::map<std::set<NodeId>, std::vector<ElementId>> faces_of(const mesh::TetMesh& mesh)
{
  std::map<std::set<NodeId>, std::vector<ElementId>> faces;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    for (const auto& corners : mesh::face_corners) {
      std::set<NodeId> nodes;
      for (const std::size_t c : corners) nodes.insert(mesh.node(mesh.tet(e)[c]).id);
      faces[nodes].push_back(mesh.element_id(e));
    }
  return faces;
}

/// Of the whole mesh, by brute force: each bond and the bonds whose faces share an edge with its face.
std::map<lattice::BondKey, Keys> expected_bonds(const mesh::TetMesh& mesh)
{
  std::map<lattice::BondKey, std::set<NodeId>> nodes;
  std::map<std::pair<NodeId, NodeId>, Keys> around;
  for (const auto& [face, beside] : faces_of(mesh)) {
    if (beside.size() != 2) continue;
    const lattice::BondKey key{std::min(beside[0], beside[1]), std::max(beside[0], beside[1])};
    nodes[key] = face;
    for (const NodeId& n : face)
      for (const NodeId& m : face)
        if (n < m) around[{n, m}].push_back(key);
  }
  std::map<lattice::BondKey, Keys> bonds;
  for (const auto& [key, face] : nodes) bonds[key];
  for (const auto& [edge, keys] : around)
    for (const auto& x : keys)
      for (const auto& y : keys)
        if (x != y) bonds[x].push_back(y);
  for (auto& [key, others] : bonds) std::sort(others.begin(), others.end());
  return bonds;
}

}  // namespace

TEST_CASE("every shared face is one bond, owned by one rank", "[lattice][parallel]")
{
  const Comm comm;
  const bool scattered = GENERATE(false, true);
  const auto owners = scattered ? test::scattered(7) : test::by_method(partition::Method::hilbert);
  const auto mesh = test::box_mesh(4, 3, 2, 0.1, 0.3);
  const auto problem = test::distributed(comm, mesh, {test::chalk()}, owners);
  const auto bonds = lattice::make_bonds(problem.model.mesh, *problem.halo);

  const auto alone = test::distributed(Comm(MPI_COMM_SELF), mesh, {test::chalk()}, owners);
  const auto expected = expected_bonds(alone.model.mesh);
  CHECK(bonds.count == std::ssize(expected));
  const Keys owned(bonds.keys.begin(), bonds.keys.begin() + bonds.num_owned);
  Keys all = test::all_gather(comm, owned);
  std::sort(all.begin(), all.end());
  REQUIRE(all.size() == expected.size());
  CHECK(
      std::equal(all.begin(), all.end(), expected.begin(), [](const auto& x, const auto& y) { return x == y.first; }));
  for (LocalIndex b = 0; b < bonds.num_owned; ++b) {
    Keys adjacent;
    for (const LocalIndex c : bonds.adjacent_to(b)) adjacent.push_back(bonds.keys[static_cast<std::size_t>(c)]);
    REQUIRE(adjacent == expected.at(bonds.keys[static_cast<std::size_t>(b)]));
  }
}

TEST_CASE("faces know their bonds, ghosts have their owners' directions", "[lattice][parallel]")
{
  const Comm comm;
  const auto problem = test::distributed(comm, test::box_mesh(3, 3, 3, 0.1, 0.3), {test::chalk()}, test::scattered(3));
  const mesh::TetMesh& mesh = problem.model.mesh;
  const auto bonds = lattice::make_bonds(mesh, *problem.halo);
  std::map<ElementId, LocalIndex> slots;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) slots[mesh.element_id(e)] = e;
  std::int64_t seen = 0, compared = 0;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    for (const LocalIndex b : bonds.of_faces[static_cast<std::size_t>(e)]) {
      if (b == lattice::no_bond) continue;
      const lattice::BondKey& key = bonds.keys[static_cast<std::size_t>(b)];
      REQUIRE((key.a == mesh.element_id(e) || key.b == mesh.element_id(e)));
      seen += b < bonds.num_owned;
    }
  for (std::size_t b = 0; b < bonds.num_local(); ++b) {
    const auto a = slots.find(bonds.keys[b].a), c = slots.find(bonds.keys[b].b);
    if (a == slots.end() || c == slots.end()) continue;  // a ghost beyond the elements held
    const Vec3 n = (lattice::centroid(mesh, a->second) - lattice::centroid(mesh, c->second)).normalized();
    REQUIRE(bonds.directions[b] == n);
    ++compared;
  }
  CHECK(seen == 2 * bonds.num_owned);
  CHECK(compared >= bonds.num_owned);
}
