#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>

using namespace sunder;

namespace {

constexpr double edge = 0.1, g = 9.81, friction = 0.3, slip_speed = 1e-3;

struct Slide {
  double acceleration = 0;    // along x, once the block has settled [m/s^2]
  double way = 0, speed = 0;  // along x in the end [m, m/s]
  std::uint64_t hash = 0;
};

/// A block with a velocity along x, on an obstacle's plane or on a block that is held at its bottom; gravity leans
/// forward by the angle. Viscous, as a block that bounces slips while it is light.
Slide slide(const Comm& comm, bool on_obstacle, double velocity, double angle, double time)
{
  const std::string block = test::mesh_file("friction_block", test::box_mesh(3, 3, 3, edge / 3, 0.2, 5)),
                    track = test::mesh_file("friction_track", test::box_mesh(12, 6, 2, edge / 4, 0.2, 3));
  const std::string law = fmt::format("friction: {}, slip_speed: {}", friction, slip_speed);
  const std::string plane = fmt::format("obstacles: [{{name: floor, half_space: {{normal: [0, 0, 1]}}, {}}}]\n", law);
  const std::string held = fmt::format(R"(
  - {{name: track, mesh: {{file: {}}}, material: rubber, position: [-0.05, -0.025, -0.05]}}
boundary:
  - {{name: bottom, where: {{body: track, box: {{min: [-1, -1, -1], max: [1, 1, -0.0499]}}}}, fixed: true}}
)",
                                       track);
  const std::string scene =
      fmt::format(R"(
materials:
  rubber: {{E: 1.0e7, nu: 0.3, density: 1000, phi: 200, psi: 300}}
collisions: {{{}}}
fracture: {{enabled: false}}
gravity: [{}, 0, {}]
time: {{end: 1}}
bodies:
  - {{name: block, mesh: {{file: {}}}, material: rubber, velocity: [{}, 0, 0]}}
{})",
                  law, g * std::sin(angle), -g * std::cos(angle), block, velocity, on_obstacle ? plane : held);
  test::Simulation simulation(comm, test::scene(scene));
  const auto block_at = [&](double t) {
    while (simulation.state.time < t) simulation.advance(simulation.step_size());
    return test::body_of(simulation, comm, [](const Vec3& X) { return X.z() > 0.01 * edge; });
  };
  const test::Body first = block_at(0), settled = block_at(0.2 * time);
  const double begin = simulation.state.time;
  const test::Body last = block_at(time);
  Slide result;
  result.acceleration = (last.velocity() - settled.velocity()).x() / (simulation.state.time - begin);
  result.way = (last.centre - first.centre).x(), result.speed = last.velocity().x();
  result.hash = simulation::state_hash(simulation.model(), comm);
  return result;
}

}  // namespace

TEST_CASE("a sliding block is slowed by mu g", "[physics][contact]")
{
  for (const bool on_obstacle : {true, false}) {
    CAPTURE(on_obstacle);
    CHECK(slide(Comm(), on_obstacle, 0.8, 0, 0.15).acceleration == Approx(-friction * g).epsilon(0.02));
  }
}

TEST_CASE("a block on a slope stays below the angle of friction and slides above it", "[physics][contact]")
{
  for (const bool on_obstacle : {true, false}) {
    CAPTURE(on_obstacle);
    const double below = std::atan(0.9 * friction), above = std::atan(2 * friction), time = 0.3;
    const Slide stays = slide(Comm(), on_obstacle, 0, below, time);
    // What holds it is friction that grows with speed up to slip_speed: it creeps.
    CHECK(stays.speed == Approx(0.9 * slip_speed).epsilon(0.02));
    CHECK(std::abs(stays.way) < 2 * slip_speed * time);
    CHECK(slide(Comm(), on_obstacle, 0, above, time / 2).acceleration ==
          Approx(g * (std::sin(above) - friction * std::cos(above))).epsilon(0.02));
  }
}

TEST_CASE("a block slides the same on any number of ranks", "[physics][contact][parallel]")
{
  for (const bool on_obstacle : {true, false})
    CHECK(slide(Comm(), on_obstacle, 0.8, 0.1, 0.01).hash ==
          slide(Comm(MPI_COMM_SELF), on_obstacle, 0.8, 0.1, 0.01).hash);
}

TEST_CASE("steps too long for friction are told once, and the slip_speed that is named does", "[physics][contact]")
{
  const Comm comm;
  const auto warnings = [&](double slip_speed, const std::string& also) {
    test::Simulation simulation(
        comm, test::scene(fmt::format(
                  R"(
materials:
  rubber: {{E: 1.0e7, nu: 0.3, density: 1000, phi: 200, psi: 300}}
fracture: {{enabled: false}}
gravity: [2.5, 0, -9.5]
time: {{end: 1{}}}
bodies:
  - {{name: block, mesh: {{file: {}}}, material: rubber}}
obstacles: [{{name: floor, half_space: {{normal: [0, 0, 1]}}, friction: 0.3, slip_speed: {}}}]
)",
                  also, test::mesh_file("friction_told", test::box_mesh(3, 3, 3, edge / 3, 0.2, 5)), slip_speed)));
    for (int row = 1; row <= 8; ++row) {
      while (simulation.state.time < 0.01 * row) simulation.advance(simulation.step_size());
      simulation.compute_forces();
      simulation.compute_forces();  // as for a row and a frame of one moment
    }
    return simulation.state.warnings;
  };
  const auto told = warnings(1e-4, "");
  REQUIRE(told.size() == 1);
  INFO(told[0]);
  const auto number_before = [&](const std::string& unit) {
    const auto end = told[0].rfind(unit), begin = told[0].rfind(' ', end - 1) + 1;
    return std::stod(told[0].substr(begin, end - begin));
  };
  CHECK(told[0].find("obstacles.floor.slip_speed: ") != std::string::npos);
  CHECK(warnings(number_before(" m/s would do"), "").empty());
  CHECK(warnings(1e-4, fmt::format(", step: {}", number_before(" s"))).empty());
}
