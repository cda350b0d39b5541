#include "simulation/loading/over_time.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"
#include "support/worst.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <memory>

using namespace sunder;

namespace {

constexpr double length = 0.2, side = 0.1;  // of the bar, from the origin along x [m]

/// A scene with the bar, its ledger opened. rest: more keys.
std::unique_ptr<test::Simulation> simulate(const Comm& comm, const std::string& material, int refine,
                                           const std::string& rest)
{
  const std::string text = fmt::format(
      R"(
materials:
  stuff: {{{}}}
bodies:
  - {{name: bar, mesh: {{file: {}, refine: {}}}, material: stuff}}
collisions: {{enabled: false}}
time: {{end: 1}}
{})",
      material, test::mesh_file("prescribed_motion_bar", test::box_mesh(4, 2, 2, 0.05, 0.2, 3)), refine, rest);
  auto simulation = std::make_unique<test::Simulation>(comm, test::scene(text));
  simulation->compute_forces();
  simulation->history_row();
  return simulation;
}

void run_until(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end) {
    const double dt = std::min(simulation.step_size(), end - simulation.state.time);
    simulation.advance(dt, simulation.state.time + dt > end * (1 - 1e-12) ? end : simulation.state.time + dt);
  }
  simulation.compute_forces();
}

/// Greatest distance of a node of this rank from where `place` wants its material position.
template <class Place>
double furthest_from(const test::Simulation& simulation, Place&& place)
{
  const element::Model& model = simulation.model();
  double furthest = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    test::keep_worst(furthest, (model.p[static_cast<std::size_t>(n)].xyz() - place(model.mesh.node(n).X)).norm());
  return furthest;
}

const std::string rubber = "E: 1.0e7, nu: 0.3, density: 1000", every_node = "where: {body: bar}";

}  // namespace

TEST_CASE("a body that is turned and carried as a whole moves as a rigid one, without stress",
          "[physics][prescribed_motion]")
{
  const Vec3 axis = Vec3(1, 2, -2) / 3, center(0.05, 0.3, -0.1), velocity(1, -2, 0.5);
  const double rate = 40, end = 0.1;
  const auto simulation = simulate(Comm(), rubber, 0,
                                   fmt::format(R"(
boundary:
  - {{name: all, {}, velocity: [1, -2, 0.5], rotation: {{axis: [1, 2, -2], center: [0.05, 0.3, -0.1], rate: {}}}}}
)",
                                               every_node, rate));
  run_until(*simulation, end);
  const Mat3 R = Eigen::AngleAxisd(rate * end, axis).toRotationMatrix();
  CHECK(furthest_from(*simulation, [&](const Vec3& X) { return Vec3(center + R * (X - center) + velocity * end); }) <
        1e-12);

  const auto row = simulation->history_row();
  CHECK(row.energy.elastic < 1e-20 * row.energy.kinetic);
  // Of a rigid box of the same mass, and half a step from where the velocity belongs.
  double expected = 0;
  const element::Model& model = simulation->model();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    if (!model.mesh.owned(n)) continue;
    const Vec3 v = velocity + R * (rate * axis).cross(model.mesh.node(n).X - center);
    expected += 0.5 * model.mass[static_cast<std::size_t>(n)] * v.squaredNorm();
  }
  CHECK(row.energy.kinetic == Approx(Comm().sum(expected)).epsilon(1e-2));
  CHECK(std::abs(row.energy.relative_error) < 1e-9);
}

TEST_CASE("a displacement and an angle over time take nodes just where they say", "[physics][prescribed_motion]")
{
  const auto simulation = simulate(Comm(), rubber, 0,
                                   fmt::format(R"(
boundary:
  - name: all
    {}
    displacement:
      - {{time: 0.01, displacement: [0, 0, 0]}}
      - {{time: 0.02, displacement: [0.1, 0, 0]}}
      - {{time: 0.05, displacement: [0.1, 0.3, -0.2]}}
    rotation:
      axis: [0, 1, 0]
      center: [0.1, 0, 0]
      angle: [{{time: 0.015, angle: 0}}, {{time: 0.035, angle: 2}}]
)",
                                               every_node));
  const auto check = [&](double time, const Vec3& u, double angle) {
    run_until(*simulation, time);
    const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    const Vec3 center(0.1, 0, 0);
    CHECK(furthest_from(*simulation, [&](const Vec3& X) { return Vec3(center + R * (X - center) + u); }) < 1e-13);
  };
  check(0.01, Vec3::Zero(), 0);
  check(0.025, Vec3(0.1, 0.05, -0.1 / 3), 1);
  check(0.06, Vec3(0.1, 0.3, -0.2), 2);
}

TEST_CASE("a rate over time adds up to its angle", "[physics][prescribed_motion]")
{
  const std::vector<config::NumberPoint> rate{{1, 2}, {3, 6}, {4, 0}};
  CHECK(simulation::integral(rate, 0.5) == Approx(1));
  CHECK(simulation::integral(rate, 1) == Approx(2));
  CHECK(simulation::integral(rate, 2) == Approx(2 + 3));
  CHECK(simulation::integral(rate, 3) == Approx(2 + 8));
  CHECK(simulation::integral(rate, 9) == Approx(2 + 8 + 3));
  CHECK(simulation::integral({{0, 4}}, 3) == Approx(12));
}

TEST_CASE("a twisted bar stores Saint-Venant's energy, as finely as it is meshed", "[physics][prescribed_motion]")
{
  const double angle = 0.02, end = 0.2;
  const auto excess = [&](int refine) {
    const auto simulation = simulate(Comm(), rubber + ", phi: 3e3, psi: 3e3", refine,
                                     fmt::format(R"(
fracture: {{enabled: false}}
boundary:  # ends may warp
  - {{name: held, where: {{box: {{min: [-1, -1, -1], max: [1e-6, 1, 1]}}}}, axes: yz, fixed: true}}
  - name: turned
    where: {{box: {{min: [0.199999, -1, -1], max: [1, 1, 1]}}}}
    axes: yz
    rotation:
      axis: [1, 0, 0]
      center: [0, 0.05, 0.05]
      rate: [{{time: 0, rate: 0}}, {{time: 0.05, rate: {0}}}, {{time: 0.1, rate: 0}}]
)",
                                                 angle / 0.05));
    run_until(*simulation, end);
    const auto energy = simulation->history_row().energy;
    CHECK(energy.kinetic < 1e-4 * energy.elastic);
    CHECK(std::abs(energy.relative_error) < 1e-3);
    const double mu = 1e7 / 2.6, exact = 0.5 * mu * 0.140577 * std::pow(side, 4) * angle * angle / length;
    return energy.elastic / exact - 1;
  };
  const double coarse = excess(1), fine = excess(2);
  CAPTURE(coarse, fine);
  CHECK(fine > 0);  // elements are stiffer than what they stand for
  CHECK(fine < 0.12);
  CHECK(coarse / fine > 2.5);  // second order would be 4
}

TEST_CASE("work on a bar that is pulled and twisted is what it gains, to second order in the step",
          "[physics][prescribed_motion]")
{
  const auto error = [](double step) {
    const auto simulation = simulate(Comm(), rubber, 0, fmt::format(R"(
fracture: {{enabled: false}}
gravity: [0, 0, -9.81]
boundary:
  - {{name: held, where: {{box: {{min: [-1, -1, -1], max: [1e-6, 1, 1]}}}}, fixed: true}}
  - name: turned
    where: {{box: {{min: [0.199999, -1, -1], max: [1, 1, 1]}}}}
    velocity: [{{time: 0, velocity: [0, 0, 0]}}, {{time: 0.02, velocity: [2, 0.5, 1]}}]
    rotation: {{axis: [1, 0, 0], center: [0, 0.05, 0.05], rate: [{{time: 0, rate: 0}}, {{time: 0.02, rate: 60}}]}}
)"));
    while (simulation->state.steps < std::lround(0.02 / step)) simulation->advance(step);
    simulation->compute_forces();
    const auto energy = simulation->history_row().energy;
    CHECK(energy.elastic > 0.5 * energy.external);
    return std::abs(energy.relative_error);
  };
  const double coarse = error(4e-5), fine = error(2e-5);
  CAPTURE(coarse, fine);
  CHECK(coarse < 1e-3);
  CHECK(coarse / fine > 3);
}

TEST_CASE("a bar torn by a turning grip tears the same on any number of ranks",
          "[physics][prescribed_motion][parallel]")
{
  const auto run = [](const Comm& comm) {
    const auto simulation = simulate(comm, "E: 1.0e6, nu: 0.25, density: 1000, toughness: {force: 1}", 0, R"(
boundary:
  - {name: held, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, fixed: true}
  - name: turned
    where: {box: {min: [0.199999, -1, -1], max: [1, 1, 1]}}
    displacement: [{time: 0, displacement: [0, 0, 0]}, {time: 0.02, displacement: [0.03, 0, 0]}]
    rotation: {axis: [1, 0, 0], center: [0, 0.05, 0.05], rate: [{time: 0, rate: 0}, {time: 0.01, rate: 60}]}
)");
    run_until(*simulation, 0.02);
    CHECK(simulation->state.events > 10);
    return simulation::state_hash(simulation->model(), comm);
  };
  CHECK(run(Comm()) == run(Comm(MPI_COMM_SELF)));
}

TEST_CASE("a ball on a circle throws a bar aside, and the ledger knows where the energy is from",
          "[physics][prescribed_motion][parallel]")
{
  const auto run = [](const Comm& comm) {
    const auto simulation = simulate(comm, rubber, 0, R"(
obstacles:
  - name: hammer
    sphere: {radius: 0.03}
    motion: path
    position: [0.55, 0.04, 0.5]
    path: {circle: {center: [0.1, 0, 0.5], axis: [0, 1, 0], rate: 10}}
)");
    run_until(*simulation, 0.2);
    const auto energy = simulation->history_row().energy;
    CHECK(energy.external > 0.1);
    CHECK(std::abs(energy.relative_error) < 0.02);
    return simulation::state_hash(simulation->model(), comm);
  };
  CHECK(run(Comm()) == run(Comm(MPI_COMM_SELF)));
}
