// Bodies that touch each other in static and implicit steps.

#include "config/schema.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "simulation/run/restart.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"
#include "support/worst.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

using namespace sunder;

namespace {

constexpr double edge = 0.1;

/// Two blocks of that edge with meshes that do not match, one above the other by a gap.
config::Scene blocks(const std::string& rest, double gap = 0, const std::string& upper_has = "")
{
  return test::scene(fmt::format(
      R"(
materials:
  stuff: {{E: 1.0e7, nu: 0.3, density: 1000, phi: 50, psi: 50}}
bodies:
  - {{name: lower, mesh: {{file: {}}}, material: stuff}}
  - {{name: upper, mesh: {{file: {}}}, material: stuff, position: [0, 0, {}]{}}}
fracture: {{enabled: false}}
{}
)",
      test::mesh_file("touching_lower", test::box_mesh(3, 3, 3, edge / 3, 0.2, 3)),
      test::mesh_file("touching_upper", test::box_mesh(2, 2, 2, edge / 2, 0.2, 5)), edge + gap, upper_has, rest));
}

/// A block flies to another, which is at rest.
config::Scene collision(const std::string& solver)
{
  return blocks(fmt::format(R"(
solver: {{method: implicit, newton: {{tolerance: 1.0e-12}}, reproducible: true, {}}}
collisions: {{damping: 0}}
time: {{end: 0.02}}
)",
                            solver),
                1e-3, ", velocity: [0.3, 0.1, -2]");
}

/// Energies count from here on.
void begin(test::Simulation& simulation)
{
  simulation.compute_forces();
  simulation.history_row();
}

void run_to(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end * (1 - 1e-12))
    simulation.advance(std::min(simulation.step_size(), end - simulation.state.time));
  simulation.compute_forces();
}

bool is_upper(const Vec3& X)
{
  return X.z() > edge * (1 + 1e-6);
}

bool is_lower(const Vec3& X)
{
  return X.z() < edge * (1 - 1e-6);
}

const std::string symmetric = R"(
  - {name: left, where: {box: {min: [-1, -1, -1], max: [1.0e-6, 1, 1]}}, fixed: true, axes: x}
  - {name: front, where: {box: {min: [-1, -1, -1], max: [1, 1.0e-6, 1]}}, fixed: true, axes: y}
)";

}  // namespace

TEST_CASE("blocks pressed together by a dead load have one stress, and the support bears the load",
          "[physics][static][contact][patch]")
{
  const double pressure = 1e3;
  for (const char* solver : {"reproducible: true", "reproducible: false"}) {
    test::Simulation simulation(Comm(), blocks(fmt::format(R"(
solver: {{method: static, floating: contact, newton: {{tolerance: 1.0e-11}}, {}}}
boundary:
  - {{name: floor, where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1.0e-6]}}}}, fixed: true, axes: z}}
{}
loads:
  - name: top
    where: {{box: {{min: [-1, -1, 0.199999], max: [1, 1, 1]}}}}
    traction: [{{time: 0, traction: [0, 0, 0]}}, {{time: 1, traction: [0, 0, -{}]}}]
collisions: {{stiffness: 2.0e8}}
time: {{end: 1, step: 0.5}}
)",
                                                           solver, symmetric, pressure)));
    begin(simulation);
    run_to(simulation, 1);
    const auto row = simulation.history_row();
    CHECK(row.reactions[0].force.z() == Approx(pressure * edge * edge).epsilon(1e-8));
    const element::Model& model = simulation.model();
    const Mat3 expected = -pressure * Vec3::UnitZ() * Vec3::UnitZ().transpose();
    double off = 0;
    for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
      if (model.mesh.alive(e)) test::keep_worst(off, (element_stress(model, e) / 2 - expected).norm() / pressure);
    CHECK(off < 1e-3);  // of the order of the strain
    // They sink in by the pressure over the stiffness, and are shortened by the pressure over the modulus.
    const double area = edge * edge, sinks = pressure / 2e8;
    CHECK(row.energy.contact == Approx(pressure * area * sinks / 2).epsilon(1e-3));
    CHECK(row.energy.elastic == Approx(pressure * pressure * 2 * area * edge / (2 * 1e7)).epsilon(1e-3));
    CHECK(std::abs(row.energy.relative_error) < 1e-3);
  }
}

TEST_CASE("without a support a block that another holds asks for contact to hold it", "[physics][static][error]")
{
  const std::string held = R"(
boundary: [{name: floor, where: {box: {min: [-1, -1, -1], max: [1, 1, 1.0e-6]}}, fixed: true}]
gravity: [0, 0, -9.81]
time: {end: 1}
)";
  REQUIRE_THROWS_WITH(test::Simulation(Comm(), blocks("solver: static\n" + held)),
                      Catch::Contains("inertia_relief or contact"));
}

TEST_CASE("a block that lies on another comes to rest, and both weigh on the floor", "[physics][implicit][contact]")
{
  test::Simulation simulation(Comm(), blocks(R"(
solver: {method: implicit, scheme: backward_euler, reproducible: true}
boundary: [{name: floor, where: {box: {min: [-1, -1, -1], max: [1, 1, 1.0e-6]}}, fixed: true}]
collisions: {friction: 0.3}
gravity: [0, 0, -9.81]
time: {end: 0.5}
)"));
  run_to(simulation, 0.4);
  simulation.history_row();  // forces count from here on
  run_to(simulation, 0.5);
  const auto row = simulation.history_row();
  const Comm& comm = simulation.state.comm;
  const auto upper = test::body_of(simulation, comm, is_upper);
  const double weight = 2 * edge * edge * edge * 1000 * 9.81;
  CHECK(row.reactions[0].force.z() == Approx(weight).epsilon(1e-3));
  CHECK(upper.velocity().norm() < 1e-4);
  CHECK(row.energy.kinetic < 1e-6);
  CHECK(simulation.state.steps < 200);
}

TEST_CASE("bodies that collide in implicit steps keep their momentum, and move as in explicit ones",
          "[physics][implicit][contact][momentum]")
{
  struct Outcome {
    Vec3 lower, upper;
  };
  const auto outcome = [](const test::Simulation& simulation) -> Outcome {
    const Comm& comm = simulation.state.comm;
    return {test::body_of(simulation, comm, is_lower).velocity(), test::body_of(simulation, comm, is_upper).velocity()};
  };
  test::Simulation simulation(Comm(), collision("scheme: newmark"));
  begin(simulation);
  const auto everything = [](const Vec3&) { return true; };
  const Vec3 before = test::body_of(simulation, simulation.state.comm, everything).momentum;
  bool touched = false;
  while (simulation.state.time < 0.02) {
    simulation.advance(std::min(simulation.step_size(), 0.02 - simulation.state.time));
    touched |= !simulation.state.comm.max(std::int64_t(simulation.stepper->pair_memory().empty()));
    const Vec3 now = test::body_of(simulation, simulation.state.comm, everything).momentum;
    CHECK((now - before).norm() < 1e-11 * before.norm());
  }
  CHECK(simulation.state.steps < 400);
  simulation.compute_forces();
  CHECK(std::abs(simulation.history_row().energy.relative_error) < 1e-3);

  config::Scene scene = collision("scheme: newmark");
  scene.solver.method = config::Method::explicit_dynamics;
  test::Simulation reference(Comm(), std::move(scene));
  run_to(reference, 0.02);
  const Outcome found = outcome(simulation), expected = outcome(reference);
  CHECK(expected.upper.z() > -0.5);  // they have hit each other
  CHECK((found.upper - expected.upper).norm() < 0.03 * 2);
  CHECK((found.lower - expected.lower).norm() < 0.03 * 2);
}

TEST_CASE("no step is so long that a body goes through another", "[physics][implicit][static][contact]")
{
  SECTION("implicit: a body that flies, and one that begins to fall")
  {
    const bool falls = GENERATE(false, true);
    test::Simulation simulation(Comm(), blocks(fmt::format(R"(
solver: {{method: implicit, scheme: backward_euler, reproducible: true}}
boundary: [{{name: floor, where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1.0e-6]}}}}, fixed: true}}]
gravity: [0, 0, {}]
time: {{end: 0.1, step: 0.1}}
)",
                                                           falls ? -100 : 0),
                                               0.05, falls ? "" : ", velocity: [0, 0, -8]"));
    run_to(simulation, 0.1);
    const auto upper = test::body_of(simulation, simulation.state.comm, is_upper);
    CHECK(upper.centre.z() > 1.2 * edge);
    CHECK(simulation.state.steps < 200);
  }
  SECTION("static: a block that is moved through the end of a bar bends it")
  {
    test::Simulation simulation(
        Comm(), test::scene(fmt::format(R"(
materials:
  stuff: {{E: 1.0e7, nu: 0.3, density: 1000}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: stuff}}
  - {{name: punch, mesh: {{file: {}}}, material: stuff, position: [0.35, 0.04, 0.035]}}
boundary:
  - {{name: held, where: {{box: {{min: [-1, -1, -1], max: [1.0e-6, 1, 1]}}}}, fixed: true}}
  - name: driven
    where: {{box: {{min: [0.3, -1, 0.0549], max: [1, 1, 1]}}}}
    displacement: [{{time: 0, displacement: [0, 0, 0]}}, {{time: 1, displacement: [0, 0, -0.07]}}]
fracture: {{enabled: false}}
solver: {{method: static, reproducible: true}}
time: {{end: 1, step: 1}}
)",
                                        test::mesh_file("touching_bar", test::box_mesh(16, 4, 1, 0.025)),
                                        test::mesh_file("touching_punch", test::box_mesh(1, 1, 1, 0.02)))));
    run_to(simulation, 1);
    double lowest = 0;
    const element::Model& model = simulation.model();
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      if (model.mesh.node(n).X.x() > 0.3999)
        lowest = std::min(lowest, model.p[static_cast<std::size_t>(n)].z - model.mesh.node(n).X.z());
    CHECK(-simulation.state.comm.max(-lowest) < -0.05);
  }
}

TEST_CASE("touching bodies have the same bits on any number of ranks, repartitioned and after a restart",
          "[physics][implicit][static][contact][reproducible]")
{
  const auto scene = [](bool dynamic) {
    if (dynamic) return collision("scheme: generalised_alpha");
    return blocks(fmt::format(R"(
solver: {{method: static, floating: contact, reproducible: true}}
boundary:
  - {{name: floor, where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1.0e-6]}}}}, fixed: true}}
{}
loads:
  - name: top
    where: {{box: {{min: [-1, -1, 0.199999], max: [1, 1, 1]}}}}
    traction: [{{time: 0, traction: [0, 0, 0]}}, {{time: 0.02, traction: [0, 0, -2.0e5]}}]
time: {{end: 0.02}}
)",
                              symmetric));
  };
  const bool dynamic = GENERATE(true, false);
  const double middle = dynamic ? 0.003 : 0.01, end = 0.02;
  const auto hash = [](const test::Simulation& s) { return simulation::state_hash(s.model(), s.state.comm); };
  const Comm world(MPI_COMM_WORLD), self(MPI_COMM_SELF);

  test::Simulation whole(self, scene(dynamic));
  run_to(whole, middle);
  CHECK(!whole.stepper->pair_memory().empty());
  run_to(whole, end);

  test::Simulation parts(world, scene(dynamic));
  run_to(parts, middle);
  parts.repartition();
  const auto file = std::filesystem::temp_directory_path() / fmt::format("sunder_touching_{}.h5", world.size());
  const config::Scene same = scene(dynamic);
  const std::string text = config::to_yaml(same);
  io::write_bodies(world, file, io::FileKind::checkpoint, simulation::stored_bodies(parts.state, *parts.stepper, text));
  run_to(parts, end);
  CHECK(hash(parts) == hash(whole));
  CHECK(parts.state.steps == whole.state.steps);

  world.barrier();
  simulation::RestartState from = simulation::read_restart(self, file, same, text);
  test::Simulation again(self, same, from);
  run_to(again, end);
  CHECK(hash(again) == hash(whole));
}
