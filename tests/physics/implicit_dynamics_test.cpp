#include "simulation/diagnostics/totals.hpp"
#include "solvers/implicit_scheme.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <memory>
#include <numbers>

using namespace sunder;
using solvers::ImplicitScheme;

namespace {

/// m a + k x = 0 with k = omega^2 and m = 1, from x = 1 at rest to time `end`; returns x.
double oscillate(const ImplicitScheme& s, double omega, double dt, double end)
{
  double x = 1, v = 0, a = -omega * omega;
  for (int k = 0; k < static_cast<int>(std::lround(end / dt)); ++k) {
    // The balance is linear in u: (1 - alpha_f) k (x + u) + alpha_f k x + (1 - alpha_m) a1(u) + alpha_m a = 0.
    const double stiffness = omega * omega, a_of_0 = s.acceleration(0, v, a, dt),
                 slope = s.acceleration(1, v, a, dt) - a_of_0;
    const double u = -(stiffness * x + (1 - s.alpha_m) * a_of_0 + s.alpha_m * a) /
                     ((1 - s.alpha_f) * stiffness + (1 - s.alpha_m) * slope);
    const double a1 = s.acceleration(u, v, a, dt);
    v = s.velocity(v, a, a1, dt), x += u, a = a1;
  }
  return x;
}

/// A bar of 0.4 x 0.1 x 0.1 m along x. rest: more keys.
std::unique_ptr<test::Simulation> simulate(const Comm& comm, const std::string& solver, double step,
                                           const std::string& rest)
{
  const std::string text = fmt::format(
      R"(
materials:
  stuff: {{E: 1.0e6, nu: 0.3, density: 1000}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: stuff{}
collisions: {{enabled: false}}
fracture: {{enabled: false}}
solver: {{method: implicit, reproducible: true, {}}}
time: {{end: 100, step: {}}}
)",
      test::mesh_file("implicit_bar", test::box_mesh(8, 2, 2, 0.05, 0.2, 3)), rest,
      solver.find("newton") == std::string::npos ? "newton: {tolerance: 1.0e-11}, " + solver : solver, step);
  auto simulation = std::make_unique<test::Simulation>(comm, test::scene(text));
  simulation->compute_forces();
  simulation->history_row();
  return simulation;
}

const std::string clamped = R"(}
boundary: [{name: clamp, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, fixed: true}]
gravity: [0, 0, -9.81])";

Vec3 angular_momentum(const test::Simulation& simulation)
{
  const element::Model& model = simulation.model();
  Vec3 sum = Vec3::Zero();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const auto k = static_cast<std::size_t>(n);
    if (model.mesh.owned(n)) sum += model.mass[k] * model.p[k].xyz().cross(model.v[k].xyz());
  }
  for (int k = 0; k < 3; ++k) sum[k] = simulation.state.comm.sum(sum[k]);
  return sum;
}

}  // namespace

TEST_CASE("implicit schemes converge with their order on an oscillator", "[solvers][implicit][convergence]")
{
  const double omega = 3, end = 2;
  const auto rate = [&](const ImplicitScheme& scheme) {
    const double exact = std::cos(omega * end);
    return (oscillate(scheme, omega, 0.01, end) - exact) / (oscillate(scheme, omega, 0.005, end) - exact);
  };
  CHECK(rate(ImplicitScheme::backward_euler()) == Approx(2).epsilon(0.05));
  CHECK(rate(ImplicitScheme::newmark()) == Approx(4).epsilon(0.02));
  CHECK(rate(ImplicitScheme::generalised_alpha(0.8)) == Approx(4).epsilon(0.02));
  CHECK(rate(ImplicitScheme::generalised_alpha(0)) == Approx(4).epsilon(0.1));
}

TEST_CASE("each step leaves of the highest frequencies what the spectral radius says", "[solvers][implicit]")
{
  const double omega = 1e4, dt = 1;
  for (const double radius : {0.3, 0.8}) {
    const auto scheme = ImplicitScheme::generalised_alpha(radius);
    const double early = std::abs(oscillate(scheme, omega, dt, 40)), late = std::abs(oscillate(scheme, omega, dt, 60));
    CHECK(std::pow(late / early, 1.0 / 20) == Approx(radius).epsilon(0.05));  // a double root: k radius^k
  }
  CHECK(std::abs(oscillate(ImplicitScheme::newmark(), omega, dt, 50)) ==
        Approx(1).epsilon(1e-3));  // it turns by nearly half at each step
}

TEST_CASE("a cantilever that is let go moves alike for every scheme, with their orders in time",
          "[physics][implicit][convergence]")
{
  const auto tip_after = [](const std::string& solver, double step) {
    const auto simulation = simulate(Comm(), solver, step, clamped);
    for (int k = 0; k < static_cast<int>(std::lround(0.08 / step)); ++k) simulation->advance(step);
    const auto tip = test::body_of(*simulation, simulation->state.comm, [](const Vec3& X) { return X.x() > 0.39; });
    return tip.centre.z();
  };
  const double fine = tip_after("scheme: newmark", 0.00025);
  for (const auto& [scheme, order] :
       {std::pair("backward_euler", 1), std::pair("newmark", 2), std::pair("generalised_alpha", 2)}) {
    const std::string solver = fmt::format("scheme: {}", scheme);
    const double coarse_error = tip_after(solver, 0.004) - fine, fine_error = tip_after(solver, 0.002) - fine;
    CAPTURE(scheme, coarse_error, fine_error, fine);
    CHECK(coarse_error / fine_error == Approx(order == 1 ? 2 : 4).epsilon(0.25));
  }
}

TEST_CASE("the ledger closes, and books what a scheme damps as numerical", "[physics][implicit][energy]")
{
  for (const auto& [scheme, damps] : {std::pair("backward_euler", true), std::pair("newmark", false)}) {
    const auto simulation = simulate(Comm(), fmt::format("scheme: {}", scheme), 0.002, clamped);
    for (int k = 0; k < 100; ++k) simulation->advance(0.002);
    simulation->compute_forces();
    const auto row = simulation->history_row();
    CAPTURE(scheme, row.energy.numerical, row.energy.external, row.energy.elastic, row.energy.kinetic);
    CHECK(std::abs(row.energy.relative_error) < 1e-6);
    CHECK((row.energy.numerical > 0.05 * row.energy.elastic) == damps);
    if (!damps) CHECK(std::abs(row.energy.numerical) < 0.02 * row.energy.elastic);
  }
}

TEST_CASE("one linear solve a step moves a cantilever nearly as Newton's method does", "[physics][implicit]")
{
  const auto run = [](const std::string& newton) {
    const auto simulation =
        simulate(Comm(), "scheme: backward_euler, newton: {tolerance: 1.0e-11" + newton + "}", 0.001, clamped);
    for (int k = 0; k < 100; ++k) simulation->advance(0.001);
    const auto tip = test::body_of(*simulation, simulation->state.comm, [](const Vec3& X) { return X.x() > 0.39; });
    return std::pair(tip.centre.z(), simulation->state.measured.solves.newton_iterations);
  };
  const auto [single, solves] = run(", single_iteration: true");
  const auto [full, iterations] = run("");
  CHECK(solves == 100);
  CHECK(iterations > 200);
  const double at_start = 0.05, fall = at_start - full;
  CHECK(single == Approx(full).margin(0.01 * fall));
}

TEST_CASE("a free spinning bar keeps its angular momentum through ten turns", "[physics][implicit][rotation]")
{
  const double rate = 20, turn = 2 * std::numbers::pi / rate, step = turn / 200;
  const auto simulation = simulate(Comm(), "scheme: generalised_alpha, spectral_radius: 0.8", step,
                                   fmt::format(", spin: [0, 0, {}]}}", rate));
  const double before = angular_momentum(*simulation).z();
  for (int k = 0; k < 2000; ++k) simulation->advance(step);
  CHECK(angular_momentum(*simulation).z() == Approx(before).epsilon(1e-3));
}

TEST_CASE("implicit steps have the same bits on any number of ranks", "[physics][implicit][reproducible]")
{
  const auto hash_of = [](const Comm& comm) {
    const auto simulation = simulate(comm, "scheme: generalised_alpha", 0.004, clamped);
    for (int k = 0; k < 10; ++k) simulation->advance(0.004);
    return simulation::state_hash(simulation->model(), comm);
  };
  CHECK(hash_of(Comm(MPI_COMM_WORLD)) == hash_of(Comm(MPI_COMM_SELF)));
}
