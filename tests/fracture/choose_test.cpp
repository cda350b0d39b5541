#include "fracture/choose.hpp"

#include "fracture/node_graph.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <tuple>

using namespace sunder;

namespace {

/// v+/tau of each failing node.
using Ratios = std::map<NodeId, double>;

constexpr double edge = 0.125;  // [m] a power of two: nothing is strained by round-off, so equal pushes are equal

/// Collective. What choose() picks on all ranks, ascending by id. The nodes fail because they are pushed to.
std::vector<NodeId> chosen(const test::TestProblem& problem, const Ratios& ratios)
{
  const element::Model& model = problem.model;
  fracture::FailingNodes failing(element::SeparationCriterion::tensile);
  std::vector<LocalIndex> pushed;
  for (const auto& [id, ratio] : ratios)
    if (const auto n = model.mesh.find(id); n && model.mesh.owned(*n)) {
      failing.push(*n, Vec3::UnitZ(), ratio * model.toughness[static_cast<std::size_t>(*n)]);
      pushed.push_back(*n);
    }
  failing.evaluate(model, pushed);
  REQUIRE(failing.nodes().size() == pushed.size());

  std::vector<NodeId> mine;
  for (const LocalIndex n : fracture::Choice().choose(model.mesh, *problem.halo, failing)) {
    REQUIRE(model.mesh.owned(n));
    mine.push_back(model.mesh.node(n).id);
  }
  CHECK(std::is_sorted(mine.begin(), mine.end()));
  auto all = test::all_gather(problem.halo->comm(), mine);
  std::sort(all.begin(), all.end());
  return all;
}

/// By the rule itself: nobody within three edges has a greater (ratio, id).
std::vector<NodeId> greatest_within_three_edges(const test::NodeGraph& graph, const Ratios& ratios)
{
  std::vector<NodeId> greatest;
  for (const auto& [id, ratio] : ratios) {
    bool beaten = false;
    for (const NodeId other : test::within(graph, id, 3))
      if (const auto it = ratios.find(other); it != ratios.end())
        beaten = beaten || std::tie(it->second, other) > std::tie(ratio, id);
    if (!beaten) greatest.push_back(id);
  }
  return greatest;
}

test::TestProblem strip(const Comm& comm, int cells, const test::Owners& owners)
{
  return test::distributed(comm, test::box_mesh(cells, 1, 1, edge), {test::chalk()}, owners);
}

/// The node of a strip's edge along x, so many cells from its end: as many edges lie between two as cells.
NodeId at_cell(const mesh::TetMesh& whole, int cell)
{
  for (LocalIndex n = 0; n < whole.num_nodes(); ++n)
    if ((whole.node(n).X - Vec3(edge * cell, 0, 0)).norm() == 0) return whole.node(n).id;
  FAIL("no node at cell " << cell);
  return 0;
}

}  // namespace

TEST_CASE("a failing node is chosen if it is the greatest within three edges, on any number of ranks",
          "[fracture][choose][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const auto by_curve = test::by_method(partition::Method::hilbert);
  const auto box = test::box_mesh(24, 1, 1, edge);
  const auto whole = test::distributed(alone, box, {test::chalk()}, by_curve);
  const test::NodeGraph graph = test::graph_of(whole.model.mesh);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    Ratios ratios;  // of every third node; of three values, so that most choices are between equals
    for (const auto& [id, joined] : graph)
      if (const std::uint64_t drawn = combine(combine(0, seed), id.low); drawn % 3 == 0)
        ratios[id] = 1.5 + static_cast<double>(drawn / 3 % 3);
    const std::vector<NodeId> expected = greatest_within_three_edges(graph, ratios);
    REQUIRE(expected.size() >= 2);
    REQUIRE(expected.size() < ratios.size());
    CHECK(chosen(whole, ratios) == expected);
    CHECK(chosen(test::distributed(world, box, {test::chalk()}, by_curve), ratios) == expected);
    CHECK(chosen(test::distributed(world, box, {test::chalk()}, test::scattered(seed)), ratios) == expected);
  }
}

TEST_CASE("three edges keep two failing nodes from acting together, four do not", "[fracture][choose][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const auto whole = strip(alone, 10, test::by_method(partition::Method::hilbert));
  const auto in_parts = strip(world, 10, test::scattered(3));
  const auto at = [&](int cell) { return at_cell(whole.model.mesh, cell); };
  const auto choice = [&](const Ratios& ratios) {
    const auto together = chosen(in_parts, ratios);
    CHECK(together == chosen(whole, ratios));
    return std::set<NodeId>(together.begin(), together.end());
  };
  CHECK(choice({{at(2), 2.0}, {at(5), 3.0}}) == std::set{at(5)});
  CHECK(choice({{at(2), 3.0}, {at(5), 2.0}}) == std::set{at(2)});
  CHECK(choice({{at(2), 3.0}, {at(6), 2.0}}) == std::set{at(2), at(6)});
  // Equals: the greater id acts.
  CHECK(choice({{at(2), 2.0}, {at(5), 2.0}}) == std::set{std::max(at(2), at(5))});
  // Who is beaten waits for the next round, even if who beats it is beaten too.
  CHECK(choice({{at(1), 2.0}, {at(4), 3.0}, {at(7), 4.0}}) == std::set{at(7)});
  CHECK(choice({}).empty());
}
