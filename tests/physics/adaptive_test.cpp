// Implicit steps in contact with obstacles, and the solver that goes to and fro between implicit and explicit steps.

#include "core/sort_unique.hpp"
#include "simulation/stepping/explicit_stepper.hpp"
#include "support/all_gather.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <memory>

using namespace sunder;

namespace {

/// A soft bar of 0.4 m x 0.1 m x 0.1 m along x.
std::unique_ptr<test::Simulation> simulate(const Comm& comm, const std::string& solver, const std::string& rest)
{
  const std::string text = fmt::format(
      R"(
materials:
  stuff: {{E: 1.0e6, nu: 0.3, density: 1000, phi: 50, psi: 50, toughness: {{stress: 2.0e4}}}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: stuff}}
solver: {{reproducible: true, newton: {{tolerance: 1.0e-12}}, {}}}
{}
)",
      test::mesh_file("adaptive_bar", test::box_mesh(8, 2, 2, 0.05, 0.2, 3)), solver, rest);
  auto simulation = std::make_unique<test::Simulation>(comm, test::scene(text));
  simulation->compute_forces();
  simulation->history_row();
  return simulation;
}

/// A ball that falls on the end of the bar, both in free fall.
const std::string struck = R"(
obstacles:
  - {name: ball, sphere: {radius: 0.05}, motion: free, mass: 0.5, position: [0.35, 0.04, 0.16], velocity: [0, 0, -1]}
gravity: [0, 0, -9.81]
collisions: {enabled: false}
fracture: {enabled: false}
time: {end: 0.4}
)";

/// It is pulled apart, slowly.
const std::string pulled = R"(
boundary:
  - {name: held, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, fixed: true}
  - name: grip
    where: {box: {min: [0.399, -1, -1], max: [1, 1, 1]}}
    displacement: [{time: 0, displacement: [0, 0, 0]}, {time: 0.5, displacement: [0.012, 0, 0], smooth: true}]
fracture: {criterion: tensile}
time: {end: 0.5}
)";

/// It is pulled apart, and its parts are pressed together.
const std::string pressed = R"(
boundary:
  - {name: held, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, fixed: true}
  - name: grip
    where: {box: {min: [0.399, -1, -1], max: [1, 1, 1]}}
    displacement:
      - {time: 0, displacement: [0, 0, 0]}
      - {time: 0.2, displacement: [0.012, 0, 0], smooth: true}
      - {time: 0.4, displacement: [-0.004, 0.002, 0], smooth: true}
fracture: {criterion: tensile}
time: {end: 0.5}
)";

/// Of the bar and the ball.
Vec3 momentum(const test::Simulation& simulation)
{
  const auto bar = test::body_of(simulation, simulation.state.comm, [](const Vec3&) { return true; });
  return bar.momentum + simulation.state.obstacles[0].mass * simulation.state.obstacle_motions[0].velocity;
}

void step(test::Simulation& simulation)
{
  simulation.advance(simulation.step_size());
}

}  // namespace

TEST_CASE("an implicit step takes from a ball the momentum and the energy that it gives the body",
          "[physics][implicit]")
{
  const auto simulation = simulate(Comm(), "method: implicit, scheme: newmark", struck);
  const Vec3 before = momentum(*simulation);
  const double mass = 4 + 0.5;
  bool touched = false;
  while (simulation->state.time < 0.15) {
    step(*simulation);
    const Vec3 gained = momentum(*simulation) - before, by_gravity(0, 0, -9.81 * mass * simulation->state.time);
    CHECK((gained - by_gravity).norm() < 1e-9 * before.norm());
    touched |= simulation->state.obstacle_motions[0].velocity.z() > -1;
  }
  CHECK(touched);
  simulation->compute_forces();
  const auto row = simulation->history_row();
  CHECK(std::abs(row.energy.relative_error) < 1e-5);
  CHECK(row.energy.kinetic > 0);
}

TEST_CASE("a static solver lets an obstacle press on a body, and reactions balance", "[physics][static][contact]")
{
  const auto simulation = simulate(Comm(), "method: static", R"(
obstacles:
  - {name: punch, sphere: {radius: 0.05}, motion: path, position: [0.3, 0.05, 0.149], velocity: [0, 0, -0.02]}
boundary: [{name: held, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, fixed: true}]
collisions: {enabled: false}
fracture: {enabled: false}
time: {end: 1}
)");
  while (simulation->state.time < 0.999) step(*simulation);
  const auto& reactions = simulation->state.reactions;
  Vec3 held = reactions.boundary[0].linear, pressed = reactions.obstacles[0].linear;
  const Comm& comm = simulation->state.comm;
  for (int k = 0; k < 3; ++k) held[k] = comm.sum(held[k]), pressed[k] = comm.sum(pressed[k]);
  const double dt = simulation->state.time - reactions.since;
  CHECK(pressed.z() / dt < -1);  // [N]
  CHECK((held + pressed).norm() < 1e-6 * pressed.norm());
}

TEST_CASE("going over to or from explicit steps changes momentum by half a kick of gravity and nothing else",
          "[physics][adaptive][momentum]")
{
  const auto simulation = simulate(Comm(), "method: explicit", struck);
  const auto speed = [&] { return simulation->state.obstacle_motions[0].velocity.z(); };
  for (double before = 0; speed() < before;) before = speed(), step(*simulation);  // until they touch
  simulation->compute_forces();
  auto& stepper = dynamic_cast<simulation::ExplicitStepper&>(*simulation->stepper);
  const auto check = [&](const Vec3& before, double kick) {
    const Vec3 expected(0, 0, -9.81 * 4.5 * kick), change = momentum(*simulation) - before;
    CHECK((change - expected).norm() < 1e-13 * before.norm());
  };
  const Vec3 half = momentum(*simulation);
  stepper.end_at_full_step();
  check(half, simulation->state.dt / 2);
  const Vec3 full = momentum(*simulation);
  stepper.begin_at_full_step({});
  check(full, -simulation->state.dt / 2);
  CHECK(simulation->state.dt == simulation->step_size());
}

TEST_CASE("a ball bounces on a bar: implicit in flight, explicit while they touch", "[physics][adaptive][energy]")
{
  const auto simulation = simulate(Comm(), "method: adaptive, switch_ratio: 10, accuracy: 1.0e-3", struck);
  bool implicit_before = false, explicit_between = false, implicit_after = false;
  while (simulation->state.time < 0.4) {
    const bool bounced = simulation->state.obstacle_motions[0].velocity.z() > 0;
    const double dt = simulation->state.time;
    step(*simulation);
    const bool is_long = simulation->state.time - dt > 5 * simulation->state.dt_min;
    (is_long ? bounced ? implicit_after : implicit_before : explicit_between) = true;
  }
  CHECK(implicit_before);
  CHECK(explicit_between);
  CHECK(implicit_after);
  simulation->compute_forces();
  CHECK(std::abs(simulation->history_row().energy.relative_error) < 0.02);
}

TEST_CASE("adaptive steps have the same bits on any number of ranks", "[physics][adaptive][reproducible]")
{
  const auto run = [](const Comm& comm, const std::string& scene) {
    auto simulation = simulate(comm, "method: adaptive, switch_ratio: 10, accuracy: 1.0e-3", scene);
    while (simulation->state.time < 0.4) {
      step(*simulation);
      if (simulation->at_sync_point() && simulation->state.steps % 5 == 0) simulation->repartition();
    }
    return simulation;
  };
  for (const std::string& scene : {struck, pulled}) {
    const auto whole = run(Comm(MPI_COMM_SELF), scene), parts = run(Comm(MPI_COMM_WORLD), scene);
    CHECK(simulation::state_hash(whole->model(), whole->state.comm) ==
          simulation::state_hash(parts->model(), parts->state.comm));
    CHECK(whole->state.steps == parts->state.steps);
    CHECK(whole->state.measured.solves.switches == parts->state.measured.solves.switches);
  }
}

TEST_CASE("each rank knows what the elements it holds remember of their contact: others take over from it",
          "[physics][adaptive][reproducible]")
{
  const auto simulation = simulate(Comm(), "method: explicit", pressed);
  while (simulation->state.time < 0.4) step(*simulation);
  REQUIRE(simulation->state.fragments >= 2);
  while (!simulation->at_sync_point()) step(*simulation);
  using Ids = std::array<ElementId, 2>;
  std::vector<Ids> mine;
  for (const partition::PairRecord& r : simulation->stepper->pair_memory()) mine.push_back({r.element, r.other});
  sort_unique(mine);
  std::vector<Ids> all = test::all_gather(simulation->state.comm, mine);
  sort_unique(all);
  CHECK(all.size() > 10);
  const mesh::TetMesh& mesh = simulation->model().mesh;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    for (const Ids& pair : all)
      if (pair[0] == mesh.element_id(e)) CHECK(std::binary_search(mine.begin(), mine.end(), pair));
  }
}

TEST_CASE("a bar is pulled in long steps and breaks in short ones", "[physics][adaptive][fracture]")
{
  const auto simulation = simulate(Comm(), "method: adaptive, switch_ratio: 10, accuracy: 1.0e-3", pulled);
  while (simulation->state.events == 0 && simulation->state.time < 0.5) step(*simulation);
  REQUIRE(simulation->state.events > 0);
  CHECK(simulation->state.measured.solves.switches == 1);
  CHECK(simulation->state.steps < 40);
  while (simulation->state.time < 0.5) step(*simulation);
  CHECK(simulation->state.fragments >= 2);
  simulation->compute_forces();
  CHECK(std::abs(simulation->history_row().energy.relative_error) < 0.02);
}
