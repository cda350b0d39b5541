#include "simulation/diagnostics/totals.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"
#include "support/worst.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <memory>

using namespace sunder;

namespace {

/// A block of 0.4 x 0.1 x 0.1 m from the origin along x. rest: more keys. split_nodes: or nodes that fail stay whole.
std::unique_ptr<test::Simulation> simulate(const Comm& comm, const std::string& solver, const std::string& rest,
                                           const std::string& material = "E: 1.0e7, nu: 0.3, density: 1000",
                                           bool split_nodes = true)
{
  const std::string text = fmt::format(
      R"(
materials:
  stuff: {{{}}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: stuff}}
collisions: {{enabled: false}}
solver: {{method: static, {}}}
{})",
      material, test::mesh_file("static_bar", test::box_mesh(8, 2, 2, 0.05, 0.2, 3)), solver, rest);
  auto scene = test::scene(text);
  if (!split_nodes) scene.fracture.max_rounds = 0;
  auto simulation = std::make_unique<test::Simulation>(comm, std::move(scene));
  simulation->compute_forces();
  simulation->history_row();
  return simulation;
}

void run_until(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end * (1 - 1e-12)) {
    const double steps = std::ceil((end - simulation.state.time) / simulation.step_size());
    simulation.advance((end - simulation.state.time) / steps,
                       steps == 1 ? end : simulation.state.time + (end - simulation.state.time) / steps);
  }
  simulation.compute_forces();
}

const std::string left = "where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}",
                  right = "where: {box: {min: [0.399999, -1, -1], max: [1, 1, 1]}}";
const std::string cantilever = fmt::format(R"(
boundary:
  - {{name: clamp, {}, fixed: true}}
loads:
  - {{name: tip, {}, traction: [{{time: 0, traction: [0, 0, 0]}}, {{time: 1, traction: [0, 0, -4.0e4]}}]}}
fracture: {{enabled: false}}
time: {{end: 1}}
)",
                                           left, right);

}  // namespace

TEST_CASE("a body whose surface is deformed linearly deforms linearly, with one stress", "[physics][static][patch]")
{
  // Stretched, sheared and turned: the positions of the surface are those of one linear map.
  const auto simulation = simulate(Comm(), "newton: {tolerance: 1.0e-12}", R"(
boundary:
  - name: low
    where: {box: {min: [-1, -1, -1], max: [1, 1, 1.0e-6]}}
    displacement: [{time: 0, displacement: [0, 0, 0]}, {time: 1, displacement: [0, 0, 0]}]
  - name: high
    where: {box: {min: [-1, -1, 0.099999], max: [1, 1, 1]}}
    displacement: [{time: 0, displacement: [0, 0, 0]}, {time: 1, displacement: [0.02, 0.01, 0.01]}]
  - name: sides
    where: {box: {min: [-1, -1, 0.049999], max: [1, 1, 0.050001]}}
    displacement: [{time: 0, displacement: [0, 0, 0]}, {time: 1, displacement: [0.01, 0.005, 0.005]}]
fracture: {enabled: false}
time: {end: 1}
)");
  run_until(*simulation, 1);
  const element::Model& model = simulation->model();
  Mat3 F = Mat3::Identity();
  F.col(2) += Vec3(0.2, 0.1, 0.1);
  double displaced = 0, stressed = 0;
  std::optional<Mat3> first;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    test::keep_worst(displaced, (model.p[static_cast<std::size_t>(n)].xyz() - F * model.mesh.node(n).X).norm());
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    const Mat3 stress = element_stress(model, e);
    if (!first) first = stress;
    test::keep_worst(stressed, (stress - *first).norm() / first->norm());
  }
  CHECK(displaced < 1e-13);
  CHECK(stressed < 1e-12);
}

TEST_CASE("supports bear what loads press, forces and moments", "[physics][static]")
{
  const auto simulation = simulate(Comm(), "reproducible: true", cantilever + "gravity: [0, 0, -9.81]\n");
  run_until(*simulation, 1);
  const auto row = simulation->history_row();
  REQUIRE(row.reactions.size() == 2);
  const auto &clamp = row.reactions[0], &tip = row.reactions[1];
  const double weight = 1000 * 0.4 * 0.1 * 0.1 * 9.81;
  CHECK(tip.force.z() == Approx(-4e4 * 0.01).epsilon(1e-9));
  CHECK((clamp.force + tip.force - Vec3(0, 0, weight)).norm() < 1e-6 * weight);
  const auto whole = test::body_of(*simulation, simulation->state.comm, [](const Vec3&) { return true; });
  const Vec3 moment = clamp.moment + tip.moment + whole.centre.cross(Vec3(0, 0, -weight));
  CHECK(moment.norm() < 1e-6 * tip.moment.norm());
  // Load and displacement are not proportional here, so the work is no half of their product.
  CHECK(row.energy.relative_error == Approx(0).margin(0.01));
  CHECK(row.energy.kinetic == 0);
}

TEST_CASE("supports bear what obstacles press, forces and moments, and what touches nothing has none",
          "[physics][static][obstacles]")
{
  const auto simulation = simulate(Comm(), "reproducible: true",
                                   fmt::format(R"(
boundary:
  - {{name: clamp, {}, fixed: true}}
obstacles:
  - {{name: punch, sphere: {{radius: 0.2}}, motion: path, path: [{{time: 0, position: [0.35, 0.05, 0.3]}}, {{time: 1, position: [0.35, 0.05, 0.295]}}]}}
  - {{name: far, sphere: {{radius: 0.2}}, position: [2, 3, 4]}}
fracture: {{enabled: false}}
time: {{end: 1}}
)",
                                               left));
  run_until(*simulation, 1);
  const auto rows = simulation->history_row().reactions;
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].force.z() < -1);
  CHECK((rows[0].force + rows[1].force).norm() < 1e-6 * rows[1].force.norm());
  CHECK((rows[0].moment + rows[1].moment).norm() < 1e-6 * rows[1].moment.norm());
  CHECK(rows[2].force == Vec3::Zero());
  CHECK(rows[2].moment == Vec3::Zero());
}

TEST_CASE("more load steps change nothing but the work that their trapezia miss", "[physics][static][convergence]")
{
  std::vector<double> tips, errors;
  for (const char* step : {"0.25", "0.125", "0.0625"}) {
    const auto simulation = simulate(
        Comm(), "reproducible: true, newton: {tolerance: 1.0e-11}",
        cantilever.substr(0, cantilever.find("time: {end")) + fmt::format("time: {{end: 1, step: {}}}\n", step));
    run_until(*simulation, 1);
    const auto row = simulation->history_row();
    tips.push_back(row.reactions[1].displacement.z()), errors.push_back(std::abs(row.energy.relative_error));
  }
  CHECK(tips[0] < -0.04);  // far from linear
  CHECK(tips[1] == Approx(tips[0]).epsilon(1e-8));
  CHECK(tips[2] == Approx(tips[0]).epsilon(1e-8));
  CHECK(errors[0] / errors[1] == Approx(4).epsilon(0.3));
  CHECK(errors[1] / errors[2] == Approx(4).epsilon(0.3));
}

TEST_CASE("PETSc's solver and the reproducible one find the same equilibrium", "[physics][static][petsc]")
{
  std::vector<double> tips;
  for (const char* solver : {"reproducible: true", "reproducible: false"}) {
    const auto simulation = simulate(Comm(), solver, cantilever);
    run_until(*simulation, 1);
    tips.push_back(simulation->history_row().reactions[1].displacement.z());
  }
  CHECK(tips[1] == Approx(tips[0]).epsilon(1e-7));
}

const std::string pulled = fmt::format(R"(
boundary:
  - {{name: wall, {}, fixed: true, axes: x}}
  - {{name: corner, where: {{box: {{min: [-1, -1, -1], max: [1e-6, 1e-6, 1e-6]}}}}, fixed: true}}
  - {{name: edge, where: {{box: {{min: [-1, 0.099999, -1], max: [1e-6, 1, 1e-6]}}}}, fixed: true, axes: z}}
  - {{name: grip, {}, displacement: [{{time: 0, displacement: [0, 0, 0]}}, {{time: 1, displacement: [0.01, 0, 0]}}], axes: x}}
time: {{end: 1}}
)",
                                       left, right);

TEST_CASE("nodes that fail and cannot be split do not make the steps after them short", "[physics][static][fracture]")
{
  const auto simulation = simulate(Comm(), "floating: inertia_relief, onset_tolerance: 0.1", pulled,
                                   "E: 1.0e7, nu: 0.3, density: 1000, toughness: {stress: 1.0e5}", false);
  while (simulation->state.time < 1 - 1e-12) {
    simulation->advance(simulation->step_size());
    REQUIRE(simulation->state.steps < 60);  // thousands, if each step were as short as can be
  }
  CHECK(simulation->state.events == 0);
}

TEST_CASE("a bar pulled apart slowly breaks at its strength, with the same bits on any number of ranks",
          "[physics][static][fracture][reproducible]")
{
  const double strength = 1e5, E = 1e7;
  const std::string material = fmt::format("E: {}, nu: 0.3, density: 1000, toughness: {{stress: {}}}", E, strength);
  const auto hash_of = [&](const Comm& comm) {
    const auto simulation = simulate(comm, "floating: inertia_relief", pulled, material);
    double highest = 0;
    while (simulation->state.time < 0.9) {
      simulation->advance(simulation->step_size());
      highest = std::max(highest, std::abs(simulation->history_row().reactions[3].force.x()));
    }
    CHECK(simulation->state.events > 0);
    CHECK(simulation->state.fragments > 1);
    CHECK(highest / 0.01 == Approx(strength).epsilon(0.05));
    const auto row = simulation->history_row();
    CHECK(std::abs(row.energy.relative_error) < 1e-2);
    CHECK(row.energy.numerical > 0);  // what the cracks let go of
    return simulation::state_hash(simulation->model(), comm);
  };
  CHECK(hash_of(Comm(MPI_COMM_WORLD)) == hash_of(Comm(MPI_COMM_SELF)));
}

TEST_CASE("loads that go back after each event let a bar break node by node, each at its threshold",
          "[physics][static][fracture][reproducible]")
{
  struct Run {
    std::uint64_t hash = 0;
    std::int64_t cracking_steps = 0, most_events = 0;
    double numerical = 0;  // [J]
  };
  const auto run = [&](const Comm& comm, const std::string& control) {
    const auto simulation = simulate(comm, "floating: inertia_relief, load_control: " + control, pulled,
                                     "E: 1.0e7, nu: 0.3, density: 1000, toughness: {stress: 1.0e5}");
    Run found;
    while (simulation->state.fragments == 1 && simulation->state.steps < 100) {
      const auto before = simulation->state.events;
      simulation->advance(simulation->step_size());
      const auto events = simulation->state.events - before;
      found.cracking_steps += events > 0, found.most_events = std::max(found.most_events, events);
    }
    found.hash = simulation::state_hash(simulation->model(), comm);
    const auto row = simulation->history_row();
    found.numerical = row.energy.numerical;
    CHECK(std::abs(row.energy.relative_error) < 1e-2);
    CHECK((simulation->state.load_lag > 0) == (control == "crack"));
    return found;
  };
  const Run forward = run(Comm(MPI_COMM_SELF), "time"), back = run(Comm(MPI_COMM_SELF), "crack");
  CHECK(forward.cracking_steps == 1);  // it runs through under one load
  CHECK(back.cracking_steps > 1);
  CHECK(back.most_events < forward.most_events / 3);
  CHECK(back.numerical < 0.7 * forward.numerical);
  CHECK(run(Comm(MPI_COMM_WORLD), "crack").hash == back.hash);
}

TEST_CASE("a body that nothing holds is named with the motions it is free to make", "[physics][static][error]")
{
  CHECK_THROWS_WITH(
      simulate(Comm(), "",
               fmt::format("boundary: [{{name: wall, {}, fixed: true, axes: x}}]\ntime: {{end: 1}}\n", left)),
      Catch::Contains("fragment 0") && Catch::Contains("may move along y, move along z, turn about x") &&
          Catch::Contains("inertia_relief"));
}

TEST_CASE("conditions that move a node two ways are refused by name, like ones are not", "[physics][static][error]")
{
  const auto with = [](const std::string& other) {
    return simulate(Comm(), "",
                    fmt::format("boundary:\n  - {{name: wall, {0}, fixed: true}}\n  - {{name: other, {0}, {1}}}\n"
                                "fracture: {{enabled: false}}\ntime: {{end: 1}}\n",
                                left, other));
  };
  const std::string points =
      "[{time: 0, displacement: [0, 0, 0]}, {time: 0.25, displacement: [0, 0, 0]}, "
      "{time: 0.5, displacement: [0, 0, 0.1]}]";
  CHECK_THROWS_WITH(with("displacement: " + points),
                    Catch::Contains("boundary.wall and boundary.other: expected one motion along z of node") &&
                        Catch::Contains("got two from t = 0.25 s: 0 and 0.4 m/s"));
  CHECK_THROWS_WITH(with("rotation: {axis: [1, 0, 0], rate: 1}"), Catch::Contains("expected one motion along"));
  CHECK_NOTHROW(with("axes: xy, displacement: " + points));
  CHECK_NOTHROW(with("until: 0.25, displacement: " + points));
  CHECK_NOTHROW(with("velocity: [0, 0, 0]"));
}

TEST_CASE("a bar that nothing holds is strained by its own inertia as much as half its length bears",
          "[physics][static][inertia_relief]")
{
  // Pulled at one end only: the force in a section is that on the mass beyond it, so the mean stress is half.
  const double traction = 1e3, E = 1e7;
  const auto simulation = simulate(Comm(), "floating: inertia_relief, reproducible: true",
                                   fmt::format(R"(
loads: [{{name: pull, {}, traction: [{}, 0, 0]}}]
fracture: {{enabled: false}}
time: {{end: 1}}
)",
                                               right, traction),
                                   fmt::format("E: {}, nu: 0, density: 1000", E));
  run_until(*simulation, 1);
  const Comm& comm = simulation->state.comm;
  const auto back = test::body_of(*simulation, comm, [](const Vec3&X) { return X.x() < 1e-9; }),
             front = test::body_of(*simulation, comm, [](const Vec3&X) { return X.x() > 0.4 - 1e-9; });
  CHECK(front.centre.x() - back.centre.x() - 0.4 == Approx(0.4 * traction / E / 2).epsilon(0.02));
}
