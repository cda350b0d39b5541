#include "fracture/split_stars.hpp"

#include "fracture/invariants.hpp"
#include "fracture/node_graph.hpp"
#include "mesh/lineage.hpp"
#include "mesh/star_components.hpp"
#include "support/by_hand.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace sunder;

namespace {

/// `tets` tetrahedra that have nothing in common but node 0, and one more that shares a face with the first.
mesh::MeshData bouquet(int tets)
{
  mesh::MeshData mesh;
  mesh.nodes.push_back(Vec3::Zero());
  for (int k = 0; k < tets; ++k) {
    const double angle = 2 * M_PI * k / tets;
    const Mat3 turn = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
    const auto first = static_cast<GlobalIndex>(mesh.nodes.size());
    for (const Vec3& x : {Vec3(1, -0.2, 0), Vec3(1, 0.2, 0), Vec3(1, 0, 0.3)}) mesh.nodes.push_back(turn * x);
    mesh.tets.push_back({0, first, first + 1, first + 2});
  }
  mesh.nodes.emplace_back(1.1, 0, -0.3);
  mesh.tets.push_back({0, 2, 1, static_cast<GlobalIndex>(mesh.nodes.size()) - 1});
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) mesh.node_labels.push_back(n + 1);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.element_labels.push_back(e + 1);
  return mesh;
}

fracture::MeshDelta everything(const mesh::TetMesh& mesh)
{
  fracture::MeshDelta delta;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) delta.nodes.push_back(n), delta.nodes.push_back(n);
  delta.loosened = delta.nodes;
  return delta;
}

/// Collective. Brings the problem up to date, as a round of cracking does.
void finish(test::TestProblem& problem, fracture::MeshDelta& delta)
{
  fracture::refresh(problem.model, delta);
  problem.halo->update(problem.model.mesh, delta.nodes);
}

/// Collective. Each node's owner says how many elements are around it.
std::map<NodeId, std::int64_t> star_sizes(const Comm& comm, const mesh::TetMesh& mesh)
{
  struct Star {
    NodeId id;
    std::int64_t size;
  };
  std::vector<Star> mine;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n)) mine.push_back({mesh.node(n).id, static_cast<std::int64_t>(mesh.star(n).size())});
  std::map<NodeId, std::int64_t> sizes;
  for (const Star& star : test::all_gather(comm, mine)) sizes[star.id] = star.size;
  return sizes;
}

}  // namespace

TEST_CASE("a node gets a copy for each further component of its star", "[fracture][split_stars][parallel]")
{
  const Comm world;
  for (const int tets : {2, 3, 5})
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      CAPTURE(tets, seed);
      auto problem = test::distributed(world, bouquet(tets), {test::chalk()}, test::scattered(seed));
      mesh::TetMesh& mesh = problem.model.mesh;
      NodeId middle = 0;
      for (const auto& [id, size] : star_sizes(world, mesh))
        if (size == tets + 1) middle = id;
      const auto at = mesh.find(middle);
      const bool held = at && !mesh.star(*at).empty();
      const bool owner = at && mesh.owned(*at);
      const ElementId smallest = owner ? mesh.element_id(mesh.star(*at).front()) : mesh::no_element;
      auto delta = everything(mesh);
      const auto splits = fracture::split_stars(problem.model, *problem.halo, delta);

      // Every holder is told the same, nobody else anything; copies are those of one node.
      CHECK(splits.size() == (held ? static_cast<std::size_t>(tets - 1) : 0));
      std::set<NodeId> copies;
      for (const fracture::NodeSplit& split : splits) {
        CHECK(split.node == middle);
        CHECK(split.copy == mesh::copy_node_id(middle, split.elements.front()));
        copies.insert(split.copy);
      }
      CHECK(copies.size() == splits.size());
      if (owner)
        for (const NodeId copy : copies) CHECK(mesh.owned(*mesh.find(copy)));

      finish(problem, delta);
      const auto violation = first_of(world, fracture::find_violation(problem.model, *problem.halo));
      INFO((violation ? *violation : std::string()));
      CHECK(!violation);
      // What shares a face stays together: the middle and the two nodes of that face have two elements, others one.
      std::map<std::int64_t, int> nodes;  // by the number of their elements
      for (const auto& [id, size] : star_sizes(world, mesh)) ++nodes[size];
      CHECK(nodes == std::map<std::int64_t, int>{{1, 1 + (tets - 1) + 3 * (tets - 1) + 1}, {2, 3}});
      if (owner) CHECK(mesh.element_id(mesh.star(*at).front()) == smallest);  // its component keeps the node
    }
}

TEST_CASE("a star that hangs together is left alone, as is a node that nothing touched",
          "[fracture][split_stars][parallel]")
{
  const Comm world;
  auto whole = test::distributed(world, test::box_mesh(3, 2, 2, 0.1), {test::chalk()}, test::scattered(1));
  auto delta = everything(whole.model.mesh);
  const LocalIndex nodes = whole.model.mesh.num_nodes();
  CHECK(fracture::split_stars(whole.model, *whole.halo, delta).empty());
  CHECK(whole.model.mesh.num_nodes() == nodes);

  auto apart = test::distributed(world, bouquet(3), {test::chalk()}, test::scattered(1));
  fracture::MeshDelta nothing;
  CHECK(fracture::split_stars(apart.model, *apart.halo, nothing).empty());
}

TEST_CASE("the last node that holds two halves together lets go", "[fracture][split_stars][parallel]")
{
  // A box is cut along its middle but for one node: every rank applies the splits of all other nodes there.
  const Comm world, alone(MPI_COMM_SELF);
  const auto box = test::box_mesh(4, 3, 2, 0.1);
  const auto cut = [&](const Comm& comm, const test::Owners& owners) {
    const auto whole = test::distributed(alone, box, {test::chalk()}, test::by_method(partition::Method::hilbert));
    auto problem = test::distributed(comm, box, {test::chalk()}, owners);
    const mesh::TetMesh& all = whole.model.mesh;
    fracture::MeshDelta delta;
    NodeId last = 0;
    for (LocalIndex n = 0; n < all.num_nodes(); ++n) {
      const mesh::Node& node = all.node(n);
      if (std::abs(node.X.z() - 0.1) > 1e-9) continue;
      if ((node.X - Vec3(0.2, 0.1, 0.1)).norm() < 1e-9) {
        last = node.id;
        continue;
      }
      fracture::apply_split(problem.model, test::split_below(all, n), delta);
    }
    const auto splits = fracture::split_stars(problem.model, *problem.halo, delta);
    for (const fracture::NodeSplit& split : splits) CHECK(split.node == last);
    CHECK(splits.size() <= 1);
    finish(problem, delta);
    const auto violation = first_of(comm, fracture::find_violation(problem.model, *problem.halo));
    INFO((violation ? *violation : std::string()));
    CHECK(!violation);
    // No element above shares a node with one below.
    const mesh::TetMesh& mesh = problem.model.mesh;
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
      int above = 0, below = 0;
      for (const LocalIndex e : mesh.star(n))
        for (const Vec3& x : mesh.corners(e)) above += x.z() > 0.15, below += x.z() < 0.05;
      CHECK((above == 0 || below == 0));
    }
    return star_sizes(comm, mesh);
  };
  const auto serial = cut(alone, test::by_method(partition::Method::hilbert));
  CHECK(serial.size() == 5u * 4 * 3 + 5 * 4);
  CHECK(cut(world, test::scattered(5)) == serial);
}

TEST_CASE("the crack tip is what still joins both sides of a split; what is joined to one is beside",
          "[fracture][split_stars]")
{
  auto problem = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(4, 4, 4, 0.1), {test::chalk()},
                                   test::by_method(partition::Method::hilbert));
  element::Model& model = problem.model;
  const mesh::TetMesh& mesh = model.mesh;
  LocalIndex middle = 0;
  while ((mesh.node(middle).X - Vec3::Constant(0.2)).norm() > 1e-9) ++middle;
  const auto plan = fracture::plan(model, middle, Vec3::UnitZ(), {});
  REQUIRE(plan);
  REQUIRE(plan->bisections.empty());  // the plane is one of the mesh's
  fracture::MeshDelta delta;
  fracture::apply(model, *plan, delta);
  const auto splits = fracture::split_stars(model, *problem.halo, delta);
  CHECK(splits.empty());  // its neighbours in the plane hang together through what is further out
  const auto around = fracture::surroundings(mesh, *plan, splits);
  CHECK(around.tip.size() == 6);
  for (const LocalIndex n : around.tip) {
    CHECK(mesh.node(n).X.z() == Approx(0.2));
    CHECK(mesh.node(n).id != plan->node);
    CHECK(mesh.node(n).id != plan->copy);
  }
  CHECK(around.beside.size() == 2 + 8);  // the sides themselves; four of the fourteen neighbours above, four below
  std::set<NodeId> beside;
  for (const LocalIndex n : around.beside) beside.insert(mesh.node(n).id);
  CHECK(beside.contains(plan->node));
  CHECK(beside.contains(plan->copy));

  // Where both triangles of a strip's middle meet, the split takes all of it: nothing is left to be the tip.
  auto last = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(1, 1, 2, 0.1), {test::chalk()},
                                test::by_method(partition::Method::hilbert));
  LocalIndex corner = 0;
  while ((last.model.mesh.node(corner).X - Vec3(0, 0, 0.1)).norm() > 1e-9) ++corner;
  const auto through = fracture::plan(last.model, corner, Vec3::UnitZ(), {});
  REQUIRE(through);
  fracture::MeshDelta all_cut;
  fracture::apply(last.model, *through, all_cut);
  const auto copies = fracture::split_stars(last.model, *last.halo, all_cut);
  CHECK(copies.size() == 3);  // of the other corners there
  CHECK(fracture::surroundings(last.model.mesh, *through, copies).tip.empty());
}

TEST_CASE("after a plan no star has come apart but those listed", "[fracture][split_stars]")
{
  int listed = 0, apart = 0, nodes = 0;
  for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(0.3, 0.2, 1), Vec3(1, -0.7, 0.4), Vec3(-0.2, 1, 0.9)})
    for (LocalIndex n = 0; n < 4 * 3 * 3; ++n) {
      CAPTURE(n, normal.transpose());
      auto problem = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(3, 2, 2, 0.1), {test::chalk()},
                                       test::by_method(partition::Method::hilbert));
      const mesh::TetMesh& mesh = problem.model.mesh;
      const auto plan = fracture::plan(problem.model, n, normal.normalized(), {});
      if (!plan) continue;
      fracture::MeshDelta delta;
      fracture::apply(problem.model, *plan, delta);
      const std::set<LocalIndex> loosened(delta.loosened.begin(), delta.loosened.end());
      for (LocalIndex q = 0; q < mesh.num_nodes(); ++q) {
        if (mesh::star_components(mesh, q).size() < 2) continue;
        CHECK(loosened.contains(q));
        ++apart;
      }
      listed += static_cast<int>(loosened.size()), nodes += mesh.num_nodes();
    }
  CHECK(apart > 20);
  CHECK(listed < nodes / 2);
}
