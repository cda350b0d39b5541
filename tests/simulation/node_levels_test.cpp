#include "simulation/stepping/level_lists.hpp"

#include "fracture/crack.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

using namespace sunder;
using simulation::LevelLists;
using simulation::NodeLevels;

namespace {

/// A block with a layer of thin cells.
std::string block()
{
  mesh::MeshData mesh = test::box_mesh(6, 4, 4, 0.1, 0.15);
  for (Vec3& x : mesh.nodes)
    if (x.x() > 0.35) x.x() -= std::min(x.x() - 0.35, 0.1) * 0.8;
  return test::mesh_file("node_levels_block", mesh);
}

config::Scene block_scene(const std::string& toughness)
{
  return test::scene(fmt::format(R"(
materials:
  chalk: {{lambda: 4.0e5, mu: 4.0e5, density: 1000, toughness: {}}}
bodies:
  - {{name: block, mesh: {{file: {}}}, material: chalk}}
collisions: {{enabled: false}}
time: {{end: 1, local_steps: auto, macro_step: 1.0e-3}}
)",
                                 toughness, block()));
}

/// Collective. Of all slots and nodes.
template <class Levels>
void update_all(const simulation::State& state, Levels& levels)
{
  std::vector<LocalIndex> slots(static_cast<std::size_t>(state.model.mesh.num_slots())),
      nodes(static_cast<std::size_t>(state.model.mesh.num_nodes()));
  std::iota(slots.begin(), slots.end(), 0), std::iota(nodes.begin(), nodes.end(), 0);
  levels.update(slots, nodes);
}

/// Collective. Stretches the bodies by a shear that differs each time, and lets some of the nodes fail.
fracture::CrackResult cut(test::Simulation& simulation, int time)
{
  element::Model& model = simulation.state.model;
  std::vector<LocalIndex> failing;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const Vec3 X = model.mesh.node(n).X, pull = test::random_vector(static_cast<std::uint64_t>(time), 1);
    model.p[static_cast<std::size_t>(n)].set_xyz(X + 0.3 * pull.dot(X) * pull.normalized());
    if (model.mesh.owned(n) && (model.mesh.node(n).id.low + static_cast<std::uint64_t>(time)) % 5 == 0)
      failing.push_back(n);
  }
  fracture::FractureOptions options;
  options.max_rounds = 1, options.snap_relative = 0.02, options.snap_distance = 0, options.least_height = 0.01;
  return fracture::crack(model, *simulation.state.halo, failing, options);
}

/// A number in [0, 1).
double draw(std::uint64_t seed, std::uint64_t key)
{
  return (1 + test::random_number(seed, key)) / 2;
}

std::vector<LocalIndex> ascending(std::span<const LocalIndex> nodes)
{
  std::vector<LocalIndex> result(nodes.begin(), nodes.end());
  std::sort(result.begin(), result.end());
  return result;
}

/// The elements of a level, which must be in blocks as in the blocks of all.
std::vector<LocalIndex> elements_of(const element::Model& model, const LevelLists& lists, int level)
{
  std::vector<LocalIndex> result;
  std::int64_t counted = 0;
  for (const simulation::LevelElements::Page& page : lists.elements(level).pages()) {
    REQUIRE(page.blocks.size() == std::ssize(page.elements));
    for (LocalIndex i = 0; i < page.blocks.size(); ++i) {
      const LocalIndex e = page.elements[static_cast<std::size_t>(i)];
      CHECK(page.blocks.gradients(i) == model.blocks.gradients(e));
      counted += model.mesh.primary(e);
    }
    result.insert(result.end(), page.elements.begin(), page.elements.end());
  }
  CHECK(lists.elements(level).size() == std::ssize(result));
  CHECK(lists.elements(level).counted() == counted);
  return result;
}

/// Collective. Ghosts of a level or finer, and no others, get what their owners have.
void check_exchange(simulation::State& state, LevelLists& lists, int level)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  std::vector<Row4>& p = state.model.p;
  const std::vector<Row4> before = p;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (!mesh.owned(n)) p[static_cast<std::size_t>(n)].x += 1;
  lists.exchange(level);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (mesh.owned(n) || mesh.star(n).empty()) continue;
    const auto i = static_cast<std::size_t>(n);
    CHECK(p[i].x == before[i].x + (lists.node_levels().of(n) < level));
  }
  p = before;
}

}  // namespace

TEST_CASE("after cuts levels that follow what has changed are those of all nodes anew", "[local_steps][parallel]")
{
  const Comm comm;
  std::int64_t finer = 0, coarser = 0;
  for (const std::string toughness : {"{stress: 1.0e4}", "{stress: 1.0e4, G_c: 20}"}) {
    test::Simulation simulation(comm, block_scene(toughness));
    const simulation::State& state = simulation.state;
    const simulation::StepControl control(simulation.scene, state);
    NodeLevels followed(state, control);
    update_all(state, followed);
    std::int64_t events = 0;
    for (int time = 0; time < 12; ++time) {
      const std::vector<std::uint8_t> before(followed.all().begin(), followed.all().end());
      const fracture::CrackResult cuts = cut(simulation, time);
      events += cuts.events_of_all;
      followed.update(cuts.elements, cuts.nodes);
      NodeLevels anew(state, control);
      update_all(state, anew);
      CAPTURE(toughness, time);
      CHECK(followed.finest() == anew.finest());
      for (LocalIndex n = 0; n < state.model.mesh.num_nodes(); ++n)
        if (!state.model.mesh.star(n).empty()) CHECK(followed.of(n) == anew.of(n));
      for (std::size_t n = 0; n < before.size(); ++n)
        finer += followed.all()[n] > before[n], coarser += followed.all()[n] < before[n];
    }
    CHECK(events > 20);
    CHECK(followed.finest() > 3);
  }
  CHECK(comm.sum(finer) > 20);  // else nothing is compared
  CHECK(comm.sum(coarser) > 0);
}

TEST_CASE("after cuts lists of levels that follow what has changed are those made anew", "[local_steps][parallel]")
{
  const Comm comm;
  std::int64_t elements = 0, links = 0;
  for (const std::string toughness : {"{stress: 1.0e4}", "{stress: 1.0e4, G_c: 20}"}) {
    test::Simulation simulation(comm, block_scene(toughness));
    simulation::State& state = simulation.state;
    const simulation::StepControl control(simulation.scene, state);
    LevelLists followed(state, control);
    update_all(state, followed);
    for (int time = 0; time < 12; ++time) {
      for (LocalIndex n = time; n < state.model.mesh.num_nodes(); n += 3) followed.raise(n, followed.finest());
      const fracture::CrackResult cuts = cut(simulation, time);
      followed.update(cuts.elements, cuts.nodes);
      LevelLists anew(state, control);
      update_all(state, anew);
      CAPTURE(toughness, time);
      REQUIRE(followed.finest() == anew.finest());
      for (int k = 1; k <= anew.finest(); ++k) {
        CHECK(elements_of(state.model, followed, k) == elements_of(state.model, anew, k));
        CHECK(ascending(followed.nodes(k)) == ascending(anew.nodes(k)));
        CHECK(ascending(followed.moved(k)) == ascending(anew.moved(k)));
        CHECK(std::ranges::equal(followed.links(k), anew.links(k)));
        check_exchange(state, followed, k);
        elements += followed.elements(k).counted(), links += std::ssize(followed.links(k));
      }
    }
  }
  CHECK(comm.sum(elements) > 1000);  // else nothing is compared
  CHECK(comm.sum(links) > 100);
}

TEST_CASE("nodes by level are those that were set to the level or a finer one", "[local_steps]")
{
  simulation::NodesByLevel nodes;
  std::vector<int> level(40, 0);
  nodes.grow(40);
  for (std::uint64_t time = 0; time < 2000; ++time) {
    const auto n = static_cast<LocalIndex>(40 * draw(time, 0));
    const int to = static_cast<int>((simulation::StepControl::deepest_level + 1) * draw(time, 1));
    level[static_cast<std::size_t>(n)] = to;
    nodes.set(n, to);
    CHECK(nodes.of(n) == to);
    for (int k = 1; k <= simulation::StepControl::deepest_level; ++k) {
      std::vector<LocalIndex> expected;
      for (LocalIndex q = 0; q < 40; ++q)
        if (level[static_cast<std::size_t>(q)] >= k) expected.push_back(q);
      REQUIRE(ascending(nodes.of_or_finer(k)) == expected);
    }
  }
}

TEST_CASE("pages of a level hold its elements in order, whatever comes and goes", "[local_steps]")
{
  const Comm comm;
  test::Simulation simulation(comm, block_scene("{stress: 1.0e4}"));
  const element::Model& model = simulation.model();
  simulation::LevelElements elements;
  std::vector<LocalIndex> expected;
  for (std::uint64_t time = 0; time < 60; ++time) {
    const double share = time % 20 < 10 ? 0.02 * static_cast<double>(time % 10) : 0.5;
    std::vector<LocalIndex> leave, come, after;
    for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
      const bool is = std::binary_search(expected.begin(), expected.end(), e);
      const double drawn = draw(static_cast<std::uint64_t>(e), time);
      if (is && drawn < share) leave.push_back(e);
      if ((is && drawn < share / 2) || (!is && drawn > 1 - share)) come.push_back(e);
      if (is ? !(drawn < share) || drawn < share / 2 : drawn > 1 - share) after.push_back(e);
    }
    elements.update(model, leave, come);
    expected = after;
    std::vector<LocalIndex> found;
    for (const auto& page : elements.pages()) {
      CHECK(!page.elements.empty());
      found.insert(found.end(), page.elements.begin(), page.elements.end());
    }
    REQUIRE(found == expected);
    CHECK(elements.size() == std::ssize(expected));
  }
  CHECK((comm.size() > 1 || elements.pages().size() > 2));
}
