#include "core/error.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sunder;

namespace {

constexpr double thickness = 0.02, edge = 0.02;

/// A small block in front of the middle of a plate one cell thick, shot at it along z.
std::string scene_of(double velocity, const std::string& time)
{
  return fmt::format(R"(
materials:
  rubber: {{E: 1.0e7, nu: 0.3, density: 1000, phi: 20, psi: 30}}
bodies:
  - {{name: plate, mesh: {{file: {}}}, material: rubber}}
  - {{name: block, mesh: {{file: {}}}, material: rubber, position: [0.083, 0.091, -0.04], velocity: [0, 0, {}]}}
fracture: {{enabled: false}}
time: {}
)",
                     test::mesh_file("tunnel_plate", test::box_mesh(10, 10, 1, thickness)),
                     test::mesh_file("tunnel_block", test::box_mesh(2, 2, 2, edge / 2)), velocity, time);
}

struct Shot {
  double first_step = 0;                 // [s]
  Vec3 momentum_before, momentum_after;  // of both [kg m/s]
  double speed_after = 0;                // of the block [m/s]
  std::uint64_t hash = 0;
};

/// Until the block would have come out behind.
Shot shoot(const Comm& comm, double velocity)
{
  test::Simulation simulation(comm, test::scene(scene_of(velocity, "{end: 1}")));
  Shot shot;
  shot.first_step = simulation.step_size();
  shot.momentum_before = simulation::totals(simulation.model(), comm).momentum;
  while (simulation.state.time < 0.1 / velocity) simulation.advance(simulation.step_size());
  shot.momentum_after = simulation::totals(simulation.model(), comm).momentum;
  shot.speed_after = test::body_of(simulation, comm, [](const Vec3& X) { return X.z() < -edge / 2; }).velocity().z();
  shot.hash = simulation::state_hash(simulation.model(), comm);
  return shot;
}

/// A bar that turns about its middle beside a plate of the same rubber, so that its end strikes it, for one radian.
Shot swing(const Comm& comm, double spin)
{
  test::Simulation simulation(comm, test::scene(fmt::format(
                                        R"(
materials:
  rubber: {{E: 1.0e7, nu: 0.3, density: 1000, phi: 20, psi: 30}}
bodies:
  - {{name: plate, mesh: {{file: {}}}, material: rubber}}
obstacles:
  - name: bar
    box: {{size: [0.4, 0.01, 0.01]}}
    motion: path
    position: [-0.1, 0.1, 0.01]
    rotation: {{axis: [0, 1, 0], angle: -0.4}}
    spin: [0, {}, 0]
    damping: 1.0e+7
fracture: {{enabled: false}}
time: {{end: 1}}
)",
                                        test::mesh_file("tunnel_plate", test::box_mesh(10, 10, 1, thickness)), spin)));
  Shot shot;
  shot.first_step = simulation.step_size();
  shot.momentum_before = simulation::totals(simulation.model(), comm).momentum;
  while (simulation.state.time < 1 / spin) simulation.advance(simulation.step_size());
  shot.momentum_after = simulation::totals(simulation.model(), comm).momentum;
  shot.hash = simulation::state_hash(simulation.model(), comm);
  return shot;
}

/// What set-up says [none: nothing].
std::string refusal(double velocity, const std::string& time)
{
  try {
    const test::Simulation simulation(Comm(), test::scene(scene_of(velocity, time)));
  } catch (const Error& error) {
    CHECK(error.status() == ExitStatus::bad_input);
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a block shot at a thin plate, four times as fast as sound, does not pass through it unnoticed",
          "[physics][contact][parallel]")
{
  const double velocity = 500;
  const Shot shot = shoot(Comm(), velocity);
  CHECK(shot.speed_after < 0.8 * velocity);
  CHECK((shot.momentum_after - shot.momentum_before).norm() < 1e-10 * shot.momentum_before.norm());
  CHECK(shot.hash == shoot(Comm(MPI_COMM_SELF), velocity).hash);
  // Steps are halved just as often as it takes.
  const double usual = shoot(Comm(), 20).first_step;
  CHECK(shot.first_step == usual / 8);
}

TEST_CASE("speeds that no step would do for are refused", "[physics][contact][parallel]")
{
  CHECK(refusal(20, "{end: 1, step: 2.0e-5}") == "none");
  const std::string fixed = refusal(500, "{end: 1, step: 2.0e-5}"), absurd = refusal(1e6, "{end: 1}");
  CAPTURE(fixed, absurd);
  CHECK(
      fixed.starts_with("step 0, t = 0 s: expected steps of at most 3.536e-06 s, in which what is fastest, at 500 m/s, "
                        "moves 0.001768 m, a quarter of the lowest element's height, got 2e-05 s from time.step: "));
  CHECK(
      absurd.ends_with("the automatic one halved as often as it may be: bodies may pass through each other unnoticed"));
}

TEST_CASE("the end of a bar that turns fast does not pass through a plate unnoticed", "[physics][contact][parallel]")
{
  const double spin = 2e4, arm = 0.2;  // [rad/s], [m]: the end is at 4 km/s, the middle at rest
  const Shot shot = swing(Comm(), spin);
  CHECK(shot.momentum_before.norm() == 0);
  CHECK(shot.momentum_after.z() < -0.1);
  CHECK(shot.hash == swing(Comm(MPI_COMM_SELF), spin).hash);
  CHECK(shot.first_step * spin * arm < thickness / 4);
  CHECK(swing(Comm(), 1).first_step > 32 * shot.first_step);
}
