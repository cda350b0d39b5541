#include "simulation/fragments/fragment_history.hpp"

#include "simulation/fragments/find_fragments.hpp"
#include "support/all_gather.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"
#include "support/problem.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace sunder;

namespace {

/// A bar that is pulled apart while a ball strikes it: many fragments, some of which break again.
config::Scene torn_bar()
{
  return test::scene(fmt::format(R"(
materials:
  clay: {{E: 1.0e6, nu: 0.25, density: 1000, toughness: {{force: 4.0}}}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: clay}}
boundary:
  - {{name: left, where: {{box: {{min: [-1, -1, -1], max: [0.001, 1, 1]}}}}, velocity: [-2, 0, 0]}}
  - {{name: right, where: {{box: {{min: [0.599, -1, -1], max: [1, 1, 1]}}}}, velocity: [2, 0.3, 0]}}
obstacles:
  - {{name: ball, sphere: {{radius: 0.1}}, motion: free, mass: 5, position: [0.3, 0.15, 0.41], velocity: [0, 0, -20]}}
time: {{end: 1}}
)",
                                 test::mesh_file("torn_bar", test::box_mesh(6, 3, 3, 0.1, 0.2, 5))));
}

/// One element as every rank knows it.
struct Seen {
  ElementId id;
  NodeId component;  // smallest node id of the fragment it is in
  std::int64_t fragment, parent_fragment;
  double volume;
};

/// Collective. All elements of all ranks.
std::vector<Seen> everything(const simulation::State& state)
{
  const element::Model& model = state.model;
  const auto found = simulation::find_fragments(model, *state.halo);
  std::vector<Seen> mine;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.primary(e)) continue;
    const auto n = static_cast<std::size_t>(model.mesh.tet(e)[0]);
    mine.push_back({model.mesh.element_id(e), found.least[static_cast<std::size_t>(found.component[n])],
                    model.history[n].fragment, model.history[n].parent_fragment, model.blocks.volume(e)});
    for (const LocalIndex corner : model.mesh.tet(e))
      REQUIRE(model.history[static_cast<std::size_t>(corner)].fragment == mine.back().fragment);
  }
  return test::all_gather(state.comm, mine);
}

/// What the fragments of an instant are.
struct Fragment {
  NodeId component;
  double volume = 0;
  std::int64_t parent_fragment = -1;
};

/// Collective. By number. Each number stands for one connected component, and each component has one number.
std::map<std::int64_t, Fragment> fragments_of(const simulation::State& state)
{
  std::map<std::int64_t, Fragment> fragments;
  std::set<NodeId> components;
  for (const Seen& seen : everything(state)) {
    Fragment& fragment =
        fragments.try_emplace(seen.fragment, Fragment{seen.component, 0, seen.parent_fragment}).first->second;
    REQUIRE(fragment.component == seen.component);
    REQUIRE(fragment.parent_fragment == seen.parent_fragment);
    fragment.volume += seen.volume;
    components.insert(seen.component);
  }
  REQUIRE(components.size() == fragments.size());
  REQUIRE(state.fragments == static_cast<std::int64_t>(fragments.size()));
  REQUIRE(fragments.rbegin()->first < state.next_fragment);
  return fragments;
}

struct Memory {
  NodeId id;
  std::int64_t fragment, parent_fragment;
  double failure_time;
  bool operator==(const Memory& other) const
  {
    return id == other.id && fragment == other.fragment && parent_fragment == other.parent_fragment &&
           (failure_time == other.failure_time || (std::isnan(failure_time) && std::isnan(other.failure_time)));
  }
};

/// Collective. What the owners of all nodes remember of them, by id.
std::vector<Memory> memory_of(const simulation::State& state)
{
  std::vector<Memory> mine;
  for (LocalIndex n = 0; n < state.model.mesh.num_nodes(); ++n) {
    const element::NodeHistory& history = state.model.history[static_cast<std::size_t>(n)];
    if (state.model.mesh.owned(n) && !state.model.mesh.star(n).empty())
      mine.push_back({state.model.mesh.node(n).id, history.fragment, history.parent_fragment, history.failure_time});
  }
  std::vector<Memory> all = test::all_gather(state.comm, mine);
  std::sort(all.begin(), all.end(), [](const Memory& a, const Memory& b) { return a.id < b.id; });
  return all;
}

}  // namespace

TEST_CASE(
    "of the components of a fragment the largest keeps its number, and the others have it as their parent fragment",
    "[fragments][parallel]")
{
  const Comm comm;
  test::Simulation simulation(comm, torn_bar());
  auto before = fragments_of(simulation.state);
  REQUIRE(before.size() == 1);
  CHECK(before.begin()->first == 0);
  std::int64_t next = 1, came_off = 0;
  while (simulation.state.steps < 40) {
    simulation.advance(simulation.step_size());
    const auto now = fragments_of(simulation.state);  // in each step: nothing that comes off is missed
    for (const auto& [number, fragment] : before) {
      REQUIRE(now.contains(number));
      CHECK(now.at(number).volume <= fragment.volume * (1 + 1e-12));
    }
    for (const auto& [number, fragment] : now) {
      if (number < next) continue;
      REQUIRE(before.contains(fragment.parent_fragment));
      CHECK(fragment.volume <= now.at(fragment.parent_fragment).volume * (1 + 1e-6));
      ++came_off;
    }
    CHECK(simulation.state.next_fragment == static_cast<std::int64_t>(now.size()));  // none vanishes
    next = simulation.state.next_fragment, before = now;
  }
  CHECK(came_off > 10);
  std::set<std::int64_t> parents;
  for (const auto& [number, fragment] : before) parents.insert(fragment.parent_fragment);
  CHECK(parents.size() > 3);  // some came off what had come off itself
}

TEST_CASE("what nodes remember is the same on any number of ranks, and after a repartition", "[fragments][parallel]")
{
  const Comm world;
  const bool moved = GENERATE(false, true);
  const auto remembered = [moved](const Comm& comm) {
    test::Simulation simulation(comm, torn_bar());
    bool done = false;
    while (simulation.state.steps < 40) {
      simulation.advance(simulation.step_size());
      if (moved && !done && comm.size() > 1 && simulation.state.events > 20 && simulation.at_sync_point())
        done = simulation.repartition();
    }
    CHECK(done == (moved && comm.size() > 1));
    return memory_of(simulation.state);
  };
  const auto here = remembered(world), alone = remembered(Comm(MPI_COMM_SELF));
  REQUIRE(here.size() == alone.size());
  for (std::size_t k = 0; k < here.size(); ++k) {
    CAPTURE(here[k].id.low, here[k].fragment, alone[k].fragment, here[k].parent_fragment, alone[k].parent_fragment,
            here[k].failure_time, alone[k].failure_time);
    REQUIRE(here[k] == alone[k]);
  }
  std::size_t failed = 0;
  for (const Memory& memory : alone) failed += !std::isnan(memory.failure_time);
  CHECK(failed > 20);
  CHECK(failed < alone.size());
}

TEST_CASE("a crack that still holds on is not taken for one that has come apart, but what has come apart is found",
          "[fragments]")
{
  const Comm alone(MPI_COMM_SELF);
  // Two cubes in a row. Their common face has four nodes.
  auto problem = test::distributed(alone, test::box_mesh(2, 1, 1, 1.0), {test::chalk()}, test::scattered(1));
  mesh::TetMesh& mesh = problem.model.mesh;
  std::vector<LocalIndex> common;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (std::abs(mesh.node(n).X.x() - 1.0) < 1e-9) common.push_back(n);
  REQUIRE(common.size() == 4);
  std::vector<fracture::NodeCopy> splits;
  for (std::size_t k = 0; k < common.size(); ++k) {
    std::vector<LocalIndex> right;
    for (const LocalIndex e : mesh.star(common[k])) {
      double x = 0;
      for (const LocalIndex n : mesh.tet(e)) x += mesh.node(n).X.x() / 4;
      if (x > 1) right.push_back(e);
    }
    splits.push_back({common[k], mesh.split(common[k], NodeId(1000 + k), right)});
    CHECK(simulation::may_have_come_apart(problem.model, splits) == (k + 1 == common.size()));
  }
  // A link between two of them holds all together until it breaks.
  const std::vector<fracture::NodeCopy> link{splits.front()};
  problem.model.links.add({link[0].node, link[0].copy, Vec3::UnitX(), {}});
  CHECK_FALSE(simulation::may_have_come_apart(problem.model, splits));
  CHECK(simulation::find_fragments(problem.model, *problem.halo).count == 1);
  problem.model.links.loosen(0);
  CHECK(simulation::may_have_come_apart(problem.model, link));
  CHECK(simulation::find_fragments(problem.model, *problem.halo).count == 2);
}
