#include "support/ball_mesh.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"
#include "support/simulation.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sunder;

// Laws of solver hybrid: what rigid bodies that touch by impulses must do.

namespace {

constexpr double g = 9.81, edge = 0.1;

std::string cube_file()
{
  return test::mesh_file("rigid_cube", test::box_mesh(2, 2, 2, edge / 2));
}

std::string scene_of(const std::string& bodies, const std::string& more)
{
  return fmt::format(R"(
materials:
  stone: {{E: 1.0e10, nu: 0.2, density: 2500}}
bodies: {}
obstacles:
  - {{name: floor, half_space: {{normal: [0, 0, 1]}}, friction: 0.5}}
fracture: {{enabled: false}}
solver: hybrid
time: {{end: 100}}
{})",
                     bodies, more);
}

void run_until(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end)
    simulation.advance(std::min(simulation.step_size(), std::max(1e-9, end - simulation.state.time)));
}

}  // namespace

TEST_CASE("a block on a slope obeys Coulomb's law to a hundredth", "[physics][hybrid][parallel]")
{
  const Comm world;
  const double mu = 0.5;
  const auto slide = [&](double tangent) {
    const double angle = std::atan(tangent);
    test::Simulation simulation(
        world, test::scene(scene_of(fmt::format("[{{name: block, mesh: {{file: {}}}, material: stone}}]", cube_file()),
                                    fmt::format("hybrid: {{sleep_speed: 0}}\ngravity: [{}, 0, {}]", g * std::sin(angle),
                                                -g * std::cos(angle)))));
    const Vec3 before = simulation::totals(simulation.model(), world).momentum;
    run_until(simulation, 0.5);
    const auto after = simulation::totals(simulation.model(), world);
    return (after.momentum - before).x() / after.mass / 0.5;  // mean acceleration
  };
  CHECK(std::abs(slide(0.99 * mu)) < 1e-3 * g);  // it stays where it is
  for (const double tangent : {1.01 * mu, 2 * mu}) {
    const double angle = std::atan(tangent), expected = g * (std::sin(angle) - mu * std::cos(angle));
    CHECK(slide(tangent) == Approx(expected).margin(0.01 * g * mu * std::cos(angle)));
  }
}

TEST_CASE("a stack of ten blocks stands for ten seconds", "[physics][hybrid][parallel]")
{
  const Comm world;
  test::Simulation simulation(
      world,
      test::scene(scene_of(fmt::format("[{{name: block, mesh: {{file: {}}}, material: stone, copies: {{count: [1, 1, "
                                       "10], spacing: [0, 0, {}]}}}}]",
                                       cube_file(), edge),
                           "hybrid: {sleep_speed: 0}\ngravity: [0, 0, -9.81]\ncollisions: {friction: 0.5}")));
  run_until(simulation, 10);
  double aside = 0, top = 0;
  const element::Model& model = simulation.model();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const Vec3 u = model.p[static_cast<std::size_t>(n)].xyz() - model.mesh.node(n).X;
    aside = std::max(aside, std::hypot(u.x(), u.y())), top = std::max(top, std::abs(u.z()));
  }
  CHECK(world.max(aside) < 0.1 * edge);
  CHECK(world.max(top) < 0.05 * edge);
}

TEST_CASE("blocks at rest fall asleep, and wake when they are hit", "[physics][hybrid][parallel]")
{
  const Comm world;
  const std::string bodies = fmt::format(
      "[{{name: block, mesh: {{file: {0}}}, material: stone}}, {{name: other, mesh: {{file: {0}}}, material: stone, "
      "position: [-2, 0, 0.001], velocity: [6, 0, 0]}}]",
      cube_file());
  test::Simulation simulation(world, test::scene(scene_of(bodies, "gravity: [0, 0, -9.81]")));
  const auto first_moves = [&] {
    const element::Model& model = simulation.model();
    double speed = 0;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      if (model.mesh.node(n).X.x() > -0.5) speed = std::max(speed, model.v[static_cast<std::size_t>(n)].xyz().norm());
    return world.max(speed);
  };
  run_until(simulation, 0.36);
  CHECK(first_moves() == 0);
  run_until(simulation, 0.5);
  CHECK(first_moves() > 0.1);
  run_until(simulation, 4);
  CHECK(first_moves() == 0);
  CHECK(simulation.state.maximum_speed == 0);
}

TEST_CASE("what sleeps weighs on the floor as much as before, in steps of whatever length",
          "[physics][hybrid][reactions][parallel]")
{
  const Comm world;
  const std::string bodies = fmt::format(
      "[{{name: low, mesh: {{file: {0}}}, material: stone}}, {{name: high, mesh: {{file: {0}}}, material: "
      "stone, position: [0.02, 0, {1}]}}]",
      cube_file(), edge + 1e-4);
  test::Simulation simulation(world, test::scene(scene_of(bodies, "gravity: [0, 0, -9.81]")));
  const double weight = 2 * 2500 * edge * edge * edge * g;
  for (const double end : {0.5, 1.0, 1.5}) {
    simulation.history_row();
    for (const double step : {1e-3, 1e-4, 1.5e-3}) simulation.advance(step);
    run_until(simulation, end);
    const auto rows = simulation.history_row().reactions;
    if (world.rank() == 0 && end > 0.5) CHECK(rows[0].force.z() == Approx(weight).epsilon(1e-6));
  }
}

TEST_CASE("a block asleep on an obstacle goes with it when that begins to move", "[physics][hybrid][parallel]")
{
  const Comm world;
  test::Simulation simulation(world, test::scene(fmt::format(R"(
materials:
  stone: {{E: 1.0e10, nu: 0.2, density: 2500}}
bodies: [{{name: block, mesh: {{file: {}}}, material: stone}}]
obstacles:
  - name: tray
    box: {{size: [1, 1, 0.1]}}
    position: [0, 0, -0.1]
    motion: path
    path: [{{time: 1, position: [0, 0, -0.1]}}, {{time: 2, position: [0.2, 0, -0.1]}}]
    friction: 0.5
fracture: {{enabled: false}}
solver: hybrid
gravity: [0, 0, -9.81]
time: {{end: 100}}
)",
                                                             cube_file())));
  const auto way = [&] {
    const element::Model& model = simulation.model();
    double least = 1;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      least = std::min(least, model.p[static_cast<std::size_t>(n)].x - model.mesh.node(n).X.x());
    return world.min(least);
  };
  run_until(simulation, 0.99);
  CHECK(simulation.state.maximum_speed == 0);
  CHECK(way() == Approx(0).margin(0.01));
  run_until(simulation, 2.5);
  CHECK(way() == Approx(0.2).margin(0.03));
}

TEST_CASE("Newton's cradle passes its momentum on", "[physics][hybrid][parallel]")
{
  const Comm world;
  mesh::MeshData ball = test::ball_mesh(10, test::whole_ball());
  for (Vec3& x : ball.nodes) x *= edge / 2;
  const std::string file = test::mesh_file("rigid_ball", ball);
  std::string bodies;
  for (int k = 0; k < 5; ++k)
    bodies += fmt::format(
        "{}{{name: ball{}, mesh: {{file: {}}}, material: stone, position: [{}, 0, 0.5], velocity: [{}, 0, 0], "
        "rotation: {{axis: [1, 2, 3], angle: {}}}}}",
        k ? ", " : "[", k, file, k * (edge + 0.002) - (k == 0 ? 0.05 : 0), k == 0 ? 1 : 0, 0.7 * k);
  test::Simulation simulation(
      world, test::scene(scene_of(bodies + "]", "hybrid: {restitution: 1, resting_speed: 0}\ncollisions: {}")));
  const double momentum = simulation::totals(simulation.model(), world).momentum.x();
  const double kinetic = simulation.history_row().energy.kinetic;
  run_until(simulation, 0.3);
  const element::Model& model = simulation.model();
  double last = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if (model.mesh.owned(n) && model.mesh.node(n).X.x() > 3.5 * (edge + 0.002))
      last += model.mass[static_cast<std::size_t>(n)] * model.v[static_cast<std::size_t>(n)].x;
  CHECK(world.sum(last) > 0.95 * momentum);
  CHECK(simulation::totals(simulation.model(), world).momentum.x() == Approx(momentum).epsilon(1e-12));
  const auto energy = simulation.history_row().energy;
  CHECK(energy.kinetic <= kinetic * (1 + 1e-9));
  CHECK(std::abs(energy.relative_error) < 1e-12);
}

TEST_CASE("impulses keep momentum and angular momentum, with the same bits on any number of ranks",
          "[physics][hybrid][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const std::string bodies = fmt::format(
      "[{{name: a, mesh: {{file: {0}}}, material: stone, position: [0, 0, 1], velocity: [1, 0, 0], spin: [1, 2, 3]}}, "
      "{{name: b, mesh: {{file: {0}}}, material: stone, position: [0.3, 0.04, 1.03], velocity: [-2, 0, 0], rotation: "
      "{{axis: [1, 2, 3], angle: 0.7}}}}, {{name: c, mesh: {{file: {0}}}, material: stone, position: [0.7, 0.0, 0.96], "
      "velocity: [-3, 0, 0]}}]",
      cube_file());
  const auto collide = [&](const Comm& comm) {
    test::Simulation simulation(comm, test::scene(scene_of(bodies, "collisions: {friction: 0.3}")));
    const auto before = simulation::totals(simulation.model(), comm);
    const double kinetic = simulation.history_row().energy.kinetic;
    run_until(simulation, 0.4);
    const auto after = simulation::totals(simulation.model(), comm);
    CHECK((after.momentum - before.momentum).norm() < 1e-12 * before.mass);
    CHECK((after.angular_momentum - before.angular_momentum).norm() <
          1e-4 * before.mass);                                       // pushes turn overlaps apart
    CHECK(simulation.history_row().energy.kinetic < 0.8 * kinetic);  // they did meet
    return simulation::state_hash(simulation.model(), comm);
  };
  CHECK(collide(world) == collide(alone));
}
