#include "fracture/notify.hpp"

#include "fracture/node_graph.hpp"
#include "mesh/lineage.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <tuple>

using namespace sunder;

namespace {

/// Bisections are plain numbers: equal plans are equal in every bit.
bool same(const fracture::Plan& x, const fracture::Plan& y)
{
  const auto same_cut = [](const fracture::Bisection& a, const fracture::Bisection& b) {
    return std::tie(a.a, a.b, a.t) == std::tie(b.a, b.b, b.t);
  };
  return x.node == y.node && x.copy == y.copy && x.moving == y.moving &&
         std::equal(x.bisections.begin(), x.bisections.end(), y.bisections.begin(), y.bisections.end(), same_cut);
}

bool same(const fracture::NodeSplit& x, const fracture::NodeSplit& y)
{
  return std::tie(x.node, x.copy, x.elements) == std::tie(y.node, y.copy, y.elements);
}

bool drawn(NodeId id)
{
  return combine(combine(0, std::uint64_t{7}), id.low) % 4 == 0;
}

/// A plan for every fourth node that this rank owns, each on a plane of its own.
std::map<NodeId, fracture::Plan> plans_of(const element::Model& model)
{
  std::map<NodeId, fracture::Plan> plans;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const NodeId id = model.mesh.node(n).id;
    if (!model.mesh.owned(n) || !drawn(id)) continue;
    if (auto plan = fracture::plan(model, n, test::random_vector(5, id.low).normalized(), {}))
      plans.emplace(id, std::move(*plan));
  }
  return plans;
}

/// A split of every fourth node that this rank owns: half of its elements get the copy.
std::map<NodeId, fracture::NodeSplit> splits_of(const mesh::TetMesh& mesh)
{
  std::map<NodeId, fracture::NodeSplit> splits;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    const NodeId id = mesh.node(n).id;
    if (!mesh.owned(n) || !drawn(id)) continue;
    fracture::NodeSplit split{id, 0, {}};
    for (const LocalIndex e : mesh.star(n).first(mesh.star(n).size() / 2)) split.elements.push_back(mesh.element_id(e));
    if (split.elements.empty()) continue;
    split.copy = mesh::copy_node_id(id, split.elements.front());
    splits.emplace(id, std::move(split));
  }
  return splits;
}

/// One layer of nodes to each rank, the rest to the last: what rank 0 has to tell reaches rank 2 by way of rank 1
/// alone.
std::vector<Rank> by_layers(const mesh::MeshData& mesh, Rank ranks)
{
  std::vector<Rank> owners;
  for (const Vec3& x : mesh.nodes) owners.push_back(std::min(ranks - 1, static_cast<Rank>(std::lround(x.x() / 0.1))));
  return owners;
}

std::vector<test::Owners> partitions()
{
  return {test::by_method(partition::Method::hilbert), test::scattered(2), by_layers};
}

/// Exactly those whose node is within so many edges of a node of this rank have come, each as its owner made it.
template <class T>
void require_those_within(int edges, const std::vector<T>& got, const std::map<NodeId, T>& all,
                          const test::NodeGraph& graph, const std::map<NodeId, Rank>& owners, Rank me)
{
  auto next = got.begin();
  for (const auto& [id, made] : all) {
    if (!test::owns_any(owners, test::within(graph, id, edges), me)) continue;
    CAPTURE(me, id.low);
    REQUIRE(next != got.end());
    REQUIRE(same(*next, made));
    ++next;
  }
  REQUIRE(next == got.end());
}

template <class T>
std::vector<T> values(const std::map<NodeId, T>& plans)
{
  std::vector<T> list;
  for (const auto& [id, plan] : plans) list.push_back(plan);
  return list;
}

}  // namespace

TEST_CASE("a plan comes to every holder of an element around its one-ring, and to nobody else",
          "[fracture][notify][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const auto box = test::box_mesh(9, 2, 2, 0.1);
  const auto whole = test::distributed(alone, box, {test::chalk()}, test::by_method(partition::Method::hilbert));
  const test::NodeGraph graph = test::graph_of(whole.model.mesh);
  const auto all = plans_of(whole.model);
  REQUIRE(all.size() > 10);
  REQUIRE(std::any_of(all.begin(), all.end(), [](const auto& plan) { return plan.second.bisections.size() > 2; }));
  for (const test::Owners& owners : partitions()) {
    auto problem = test::distributed(world, box, {test::chalk()}, owners);
    problem.halo->owners_to_ghosts(std::span<double>(problem.model.height));
    const auto got = fracture::notify_of_plans(problem.model.mesh, *problem.halo, values(plans_of(problem.model)));
    // Who holds an element around a node of the one-ring owns a node of it: one of two edges away.
    require_those_within(2, got, all, graph, test::owners_of(world, problem.model.mesh), world.rank());
  }
}

TEST_CASE("every rank that holds an element which a plan changes knows of the plan", "[fracture][notify][parallel]")
{
  const Comm world;
  const test::Owners owners = partitions()[GENERATE(0u, 1u, 2u)];
  auto problem = test::distributed(world, test::box_mesh(9, 2, 2, 0.1), {test::chalk()}, owners);
  const mesh::TetMesh& mesh = problem.model.mesh;
  problem.halo->owners_to_ghosts(std::span<double>(problem.model.height));
  const auto mine = values(plans_of(problem.model));
  std::set<NodeId> known;
  for (const auto& plan : fracture::notify_of_plans(mesh, *problem.halo, mine)) known.insert(plan.node);

  struct Change {  // to the elements around an edge, or around a node if both ends are the same
    NodeId plan, a, b;
  };
  std::vector<Change> changes;
  for (const fracture::Plan& plan : mine) {
    changes.push_back({plan.node, plan.node, plan.node});
    for (const auto& cut : plan.bisections) changes.push_back({plan.node, cut.a, cut.b});
  }
  changes = test::all_gather(world, changes);
  REQUIRE(changes.size() > 20);
  for (const Change& change : changes) {
    const auto a = mesh.find(change.a), b = mesh.find(change.b);
    if (!a || !b) continue;
    const bool changed = a == b ? !mesh.star(*a).empty() : !mesh.elements_around_edge(*a, *b).empty();
    CAPTURE(world.rank(), change.plan.low, change.a.low, change.b.low);
    REQUIRE((!changed || known.contains(change.plan)));
  }
}

TEST_CASE("a split comes to every holder of an element around its node, and to nobody else",
          "[fracture][notify][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const auto box = test::box_mesh(9, 2, 2, 0.1);
  const auto whole = test::distributed(alone, box, {test::chalk()}, test::by_method(partition::Method::hilbert));
  const test::NodeGraph graph = test::graph_of(whole.model.mesh);
  const auto all = splits_of(whole.model.mesh);
  REQUIRE(all.size() > 10);
  for (const test::Owners& owners : partitions()) {
    const auto problem = test::distributed(world, box, {test::chalk()}, owners);
    const mesh::TetMesh& mesh = problem.model.mesh;
    const auto got = fracture::notify_of_splits(mesh, *problem.halo, values(splits_of(mesh)));
    require_those_within(1, got, all, graph, test::owners_of(world, mesh), world.rank());
  }
}

TEST_CASE("a rank without plans receives those of others", "[fracture][notify][parallel]")
{
  const Comm world;
  const auto problem = test::distributed(world, test::box_mesh(4, 1, 1, 0.1), {test::chalk()}, test::scattered(1));
  const mesh::TetMesh& mesh = problem.model.mesh;
  CHECK(fracture::notify_of_plans(mesh, *problem.halo, std::vector<fracture::Plan>{}).empty());
  const auto owners = test::owners_of(world, mesh);
  std::vector<fracture::Plan> mine;  // of one rank alone: what a plan says does not decide whom it goes to
  const NodeId node = owners.begin()->first;
  if (owners.at(node) == world.rank()) mine.push_back({node, 99, {{1, 2, 0.25}}, {3, 5}});
  const auto got = fracture::notify_of_plans(mesh, *problem.halo, mine);
  CHECK(got.size() <= 1);
  CHECK(world.sum(static_cast<std::int64_t>(got.size())) >= 1);
  for (const fracture::Plan& plan : got) CHECK(same(plan, {node, 99, {{1, 2, 0.25}}, {3, 5}}));
}
