#include "simulation/diagnostics/reaction_rows.hpp"
#include "simulation/loading/over_time.hpp"
#include "simulation/stepping/run_state.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <memory>

using namespace sunder;

namespace {

constexpr double length = 0.2, side = 0.1;  // of the bar, from the origin along x [m]
const Vec3 gravity(0, 0, -9.81);

/// rest: more keys of the scene.
std::unique_ptr<test::Simulation> simulate(const Comm& comm, const std::string& rest)
{
  const std::string text = fmt::format(R"(
materials:
  stuff: {{E: 1.0e7, nu: 0.3, density: 1000, phi: 3e3, psi: 3e3}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: stuff}}
gravity: [0, 0, -9.81]
fracture: {{enabled: false}}
collisions: {{enabled: false}}
time: {{end: 1}}
{})",
                                       test::mesh_file("reactions_bar", test::box_mesh(4, 2, 2, 0.05, 0.2, 3)), rest);
  return std::make_unique<test::Simulation>(comm, test::scene(text));
}

void run(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end) simulation.advance(simulation.step_size());
  simulation.compute_forces();
}

const std::string held = R"(
boundary:
  - {name: left, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, fixed: true}
)";

/// Held on two axes at one end, pressed down by a ball, pulled and pressed at the other.
const std::string everything = R"(
boundary:
  - {name: left, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, axes: xz, fixed: true}
  - {name: edge, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1e-6]}}, axes: z, fixed: true}
loads:
  - {name: pull, where: {box: {min: [0.199999, -1, -1], max: [1, 1, 1]}}, traction: [2e4, 1e3, 0]}
  - {name: press, where: {box: {min: [0.199999, -1, -1], max: [1, 1, 1]}}, pressure: 5e3}
obstacles:
  - {name: ball, sphere: {radius: 0.05}, motion: free, mass: 1, position: [0.12, 0.05, 0.1505], velocity: [0, 0, -2]}
)";

}  // namespace

TEST_CASE("impulses of conditions, loads, obstacles and gravity are the change of momentum",
          "[physics][reactions][parallel]")
{
  const auto measured = [](const Comm& comm) {
    const auto simulation = simulate(comm, everything);
    run(*simulation, 0.01);
    const auto rows = simulation->history_row().reactions;
    REQUIRE(rows.size() == 5);
    const simulation::Totals totals = simulation::totals(simulation->model(), comm);
    Vec3 force = totals.mass * gravity;
    for (const auto& row : rows) force += row.force;
    const Vec3 change = totals.momentum / simulation->state.time;  // it began at rest
    CHECK((force - change).norm() < 1e-10 * rows[0].force.norm());
    return rows;
  };
  const auto serial = measured(Comm(MPI_COMM_SELF)), parallel = measured(Comm());
  CHECK(serial[4].force.z() < -10);   // the ball presses,
  CHECK(serial[3].force.x() < -10);   // as the pressure does, inward,
  CHECK(serial[2].force.x() > 100);   // and the traction pulls
  CHECK(serial[0].force.x() < -100);  // against what holds.
  CHECK(serial[0].force.y() == 0);    // It is free there.
  CHECK(serial[1].force.z() != 0);    // The later of two conditions decides an axis.
  CHECK(serial[1].force.x() == 0);
  for (std::size_t k = 0; k < serial.size(); ++k) {
    CHECK((parallel[k].force - serial[k].force).norm() < 1e-9 * serial[0].force.norm());
    CHECK((parallel[k].moment - serial[k].moment).norm() < 1e-9 * serial[0].moment.norm());
    CHECK((parallel[k].displacement - serial[k].displacement).norm() < 1e-12);
  }
}

TEST_CASE("what holds a bar at rest bears its weight and what pulls it, with their moments", "[physics][reactions]")
{
  const auto simulation = simulate(Comm(MPI_COMM_SELF), held + R"(
loads:
  - {name: pull, where: {box: {min: [0.199999, -1, -1], max: [1, 1, 1]}}, traction: [2e4, 0, 0]}
)");
  run(*simulation, 0.4);
  simulation->state.reactions.begin(simulation->state.time);
  run(*simulation, 0.5);
  const auto rows = simulation->history_row().reactions;
  const double weight = 1000 * length * side * side * 9.81, pull = 2e4 * side * side;
  CHECK((rows[0].force - Vec3(-pull, 0, weight)).norm() < 1e-4 * pull);
  CHECK((rows[1].force - Vec3(pull, 0, 0)).norm() < 1e-9 * pull);
  // About the origin, at rest in the deformed place: the weight acts in the middle of the bar.
  CHECK(rows[0].moment.y() + rows[1].moment.y() == Approx(-weight * length / 2).epsilon(0.01));
  CHECK(rows[1].displacement.x() == Approx(2e4 / 1e7 * length).epsilon(0.1));
}

TEST_CASE("a condition moves its nodes by what it says, an obstacle is where its path is", "[physics][reactions]")
{
  const auto simulation = simulate(Comm(MPI_COMM_SELF), R"(
boundary:
  - name: left
    where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}
    displacement: [{time: 0, displacement: [0, 0, 0]}, {time: 0.01, displacement: [1e-3, 0, -2e-3], smooth: true}]
obstacles:
  - {name: ball, sphere: {radius: 0.05}, position: [0, 0, 3], motion: path, velocity: [0, 1, 0]}
)");
  while (simulation->state.time < 0.01)
    simulation->advance(std::min(simulation->step_size(), 0.01 - simulation->state.time));
  simulation->compute_forces();
  const auto rows = simulation->history_row().reactions;
  CHECK((rows[0].displacement - Vec3(1e-3, 0, -2e-3)).norm() < 1e-15);
  CHECK((rows[1].displacement - Vec3(0, 0.01, 0)).norm() < 1e-12);
  CHECK(rows[1].force == Vec3::Zero());
}

TEST_CASE("rows without time between them have no force", "[physics][reactions]")
{
  const auto simulation = simulate(Comm(MPI_COMM_SELF), held);
  simulation->compute_forces();
  CHECK(simulation->history_row().reactions[0].force == Vec3::Zero());
}

TEST_CASE("a run's state keeps the impulses since the last row", "[physics][reactions]")
{
  simulation::RunState state;
  state.control.limit.seconds = 1;  // JSON has no infinity
  state.reactions = simulation::Reactions(2, 1, 0);
  state.reactions.since = 0.1;
  state.reactions.boundary[1] = {Vec3(0.1, -2, 1e-300), Vec3(1.0 / 3, 4, 5)};
  const auto same = simulation::run_state_from_json(simulation::to_json(state), "state").reactions;
  CHECK(same.since == 0.1);
  REQUIRE(same.boundary.size() == 2);
  CHECK(same.loads.size() == 1);
  CHECK(same.obstacles.empty());
  CHECK(same.boundary[1].linear == state.reactions.boundary[1].linear);
  CHECK(same.boundary[1].angular == state.reactions.boundary[1].angular);
}

TEST_CASE("a smooth ramp starts and ends at rest, and its integral is exact", "[physics][reactions]")
{
  using config::NumberPoint;
  const std::vector<NumberPoint> ramp{{1, 2}, {3, 6, true}, {4, 0}};
  const auto value = [&ramp](double t) { return simulation::at_time(ramp, t); };
  CHECK(value(1) == 2);
  CHECK(value(2) == Approx(4));
  CHECK(value(3) == 6);
  CHECK(value(3.5) == Approx(3));
  constexpr double h = 1e-4;
  for (const double t : {1.0, 3.0}) {
    const double inside = t == 1 ? t + h : t - h;
    CHECK(std::abs(value(inside) - value(t)) / h < 1e-6);  // velocity
    CHECK(std::abs(value(t + (t == 1 ? 2 * h : -2 * h)) - 2 * value(inside) + value(t)) / (h * h) < 0.01);
  }
  CHECK((value(2 + h) - value(2 - h)) / (2 * h) == Approx(4 * 1.875 / 2));
  double sum = 2;  // until 1, of the constant before the first point
  constexpr int steps = 1000;
  for (int k = 0; k < steps; ++k) {  // Simpson
    const double a = 1 + 1.6 * k / steps, b = 1 + 1.6 * (k + 1) / steps;
    sum += (b - a) / 6 * (value(a) + 4 * value((a + b) / 2) + value(b));
  }
  CHECK(simulation::integral(ramp, 2.6) == Approx(sum).epsilon(1e-10));
  CHECK(simulation::integral(ramp, 4) == Approx(2 + 8 + 3));
}
