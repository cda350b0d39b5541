#include "support/ball_mesh.hpp"
#include "support/bodies.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sunder;

namespace {

constexpr double radius = 0.01, E = 210e9, nu = 0.3, density = 7850;

/// Two equal spheres that meet (Hertz 1882; Johnson 1985, 11.4): greatest approach of their centres, force, and time in
/// touch.
struct Impact {
  double depth = 0, force = 0, duration = 0;  // [m, N, s]
  double restitution = 1;                     // speed after over speed before
};

Impact hertz(double closing)
{
  const double mass = density * 4.1887902047863909846 * radius * radius * radius, modulus = E / (2 * (1 - nu * nu));
  const double k = 4.0 / 3 * modulus * std::sqrt(radius / 2);  // F = k depth^1.5
  Impact impact;
  impact.depth = std::pow(1.25 * mass / 2 * closing * closing / k, 0.4);
  impact.force = k * std::pow(impact.depth, 1.5);
  impact.duration = 2.943275 * impact.depth / closing;
  return impact;
}

/// The same on meshes of n elements a radius, a tenth as large where they meet, with the stiffness of contact that the
/// program chooses. A quarter of each ball between two mirrors.
Impact simulated(const Comm& comm, double closing, int n)
{
  const std::string ball = test::mesh_file("hertz_test_ball", test::ball_mesh(n, test::quarter_ball(), 0.1));
  test::Simulation simulation(comm, test::scene(fmt::format(R"(
materials:
  steel: {{E: {1}, nu: {2}, density: {3}}}
bodies:
  - {{name: upper, mesh: {{file: {0}, scale: {4}}}, material: steel, position: [0, 0, {4}], velocity: [0, 0, -{5}]}}
  - {{name: lower, mesh: {{file: {0}, scale: {4}}}, material: steel, position: [0, 0, -{4}], velocity: [0, 0, {5}],
     rotation: {{axis: [1, 1, 0], angle: 3.14159265358979324}}}}
boundary:
  - {{name: x, where: {{box: {{min: [-1, -1, -1], max: [1.0e-9, 1, 1]}}}}, axes: x, fixed: true}}
  - {{name: y, where: {{box: {{min: [-1, -1, -1], max: [1, 1.0e-9, 1]}}}}, axes: y, fixed: true}}
collisions: {{damping: 0}}
fracture: {{enabled: false}}
time: {{end: 1}}
)",
                                                            ball, E, nu, density, radius, closing / 2)));
  const auto is_upper = [](const Vec3& X) { return X.z() > 0; };
  test::Body before = test::body_of(simulation, comm, is_upper);
  const double height = before.centre.z();
  Impact impact;
  double begin = -1, end = 0;
  while (simulation.state.time < 1.5 * hertz(closing).duration) {
    const double dt = simulation.step_size();
    simulation.advance(dt);
    const test::Body after = test::body_of(simulation, comm, is_upper);
    const double force = 4 * (after.momentum.z() - before.momentum.z()) / dt;
    impact.force = std::max(impact.force, force);
    impact.depth = std::max(impact.depth, 2 * (height - after.centre.z()));
    if (force > 1e-3 * hertz(closing).force) {
      if (begin < 0) begin = simulation.state.time;
      end = simulation.state.time;
    }
    before = after;
  }
  impact.duration = end - begin;
  impact.restitution = before.velocity().z() / (closing / 2);
  return impact;
}

}  // namespace

TEST_CASE("two elastic spheres meet as Hertz has it", "[physics][contact]")
{
  const Impact slow = hertz(1);
  CHECK(slow.depth == Approx(20.44e-6).epsilon(1e-3));
  CHECK(slow.force == Approx(1005).epsilon(1e-3));
  CHECK(slow.duration == Approx(60.2e-6).epsilon(1e-3));

  // Faster, for a larger contact that coarser elements can resolve: a radius of 0.05 of the spheres'. Still slow: waves
  // cross a sphere fourteen times meanwhile.
  const double closing = 4;
  const Impact law = hertz(closing), coarse = simulated(Comm(), closing, 8), fine = simulated(Comm(), closing, 16);
  for (double Impact::*of : {&Impact::depth, &Impact::force, &Impact::duration}) {
    const double error = std::abs(fine.*of / law.*of - 1), error_before = std::abs(coarse.*of / law.*of - 1);
    CAPTURE(error_before, error);
    CHECK(error < 0.05);
    CHECK(error_before > 2 * error);
  }
  CHECK(fine.restitution == Approx(1).epsilon(1e-3));
}
