#include "simulation/stepping/node_levels.hpp"

#include "fracture/crack.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <numeric>

using namespace sunder;
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

/// Of all slots and nodes.
void update_all(const simulation::State& state, NodeLevels& levels)
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
