#include "config/schema.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "simulation/run/restart.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"
#include "support/worst.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <memory>

using namespace sunder;

namespace {

/// A block of 0.2 x 0.1 x 0.1 m, with a crack in its middle plane up to x = 0.1.
mesh::MeshData slit_block()
{
  mesh::MeshData mesh = test::box_mesh(4, 2, 2, 0.05);
  test::cut_slit(mesh, 0.05, 0.1);
  return mesh;
}

/// body: more keys of the body; rest: of the scene.
config::Scene block(const std::string& body, const std::string& rest)
{
  return test::scene(fmt::format(R"(
materials:
  rubber: {{E: 1.0e7, nu: 0.3, density: 1000}}
bodies:
  - {{name: block, mesh: {{file: {}}}, material: rubber{}}}
collisions: {{enabled: false}}
time: {{end: 1}}
{})",
                                 test::mesh_file("starting_states", slit_block()), body, rest));
}

void run_until(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end) {
    simulation.compute_forces();
    const double dt = std::min(simulation.step_size(), end - simulation.state.time);
    simulation.advance(dt, simulation.state.time + dt > end * (1 - 1e-12) ? end : simulation.state.time + dt);
  }
  simulation.compute_forces();
}

const std::string upper_lip =
    "{box: {min: [-1, -1, 0.049], max: [0.101, 1, 0.051]}, side: {point: [0, 0, 0.05], "
    "normal: [0, 0, 1]}}";
const std::string lower_lip =
    "{box: {min: [-1, -1, 0.049], max: [0.101, 1, 0.051]}, side: {point: [0, 0, 0.05], "
    "normal: [0, 0, -1]}}";

/// Stretched by 4 m/s for 5 ms, then let go.
config::Scene let_go()
{
  return block("", R"(
boundary:
  - {name: held, where: {box: {min: [-1, -1, -1], max: [1e-6, 1, 1]}}, fixed: true}
  - name: pulled
    where: {box: {min: [0.199999, -1, -1], max: [1, 1, 1]}}
    velocity: [4, 0, 0]
    until: 0.005
)");
}

}  // namespace

TEST_CASE("a velocity gradient gives each node the velocity of its place", "[physics][starting_states][parallel]")
{
  const auto scene = block(
      ", velocity: [1, 0, 0], velocity_gradient: [[3, 0, 1], [0, -2, 0], [0.5, 0, 7]], velocity_center: [0.1, 0, "
      "0.02], "
      "position: [1, 2, 3], rotation: {axis: [0, 0, 1], angle: 0.4}",
      "");
  const test::Simulation simulation(Comm(), scene);
  Mat3 G;
  G << 3, 0, 1, 0, -2, 0, 0.5, 0, 7;
  double worst = 0, fastest = 0;
  const element::Model& model = simulation.model();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const Vec3 expected = Vec3(1, 0, 0) + G * (model.mesh.node(n).X - Vec3(0.1, 0, 0.02));
    test::keep_worst(worst, (model.v[static_cast<std::size_t>(n)].xyz() - expected).norm());
    fastest = std::max(fastest, expected.norm());
  }
  CHECK(fastest > 10);
  CHECK(worst < 1e-12);
}

TEST_CASE("a side tells the lips of a slit apart: pressure opens it, and each lip moves its own way",
          "[physics][starting_states][parallel]")
{
  const auto run = [](const Comm& comm) {
    test::Simulation simulation(comm, block("", fmt::format(R"(
boundary:
  - {{name: lower, where: {}, velocity: [0, 0, -0.5]}}
loads:
  - {{name: upper, where: {}, pressure: 1000}}
)",
                                                            lower_lip, upper_lip)));
    const element::Model& model = simulation.model();
    double area = 0, held = 0;
    for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
      for (std::size_t a = 0; a < 4; ++a) {
        if (!model.mesh.primary(e) || !(model.mesh.face_marks(e)[a] & 1u)) continue;
        const auto X = model.mesh.corners(e);
        const auto& [i, j, k] = mesh::face_corners[a];
        const Vec3 normal = (X[j] - X[i]).cross(X[k] - X[i]) / 2;
        CHECK(normal.z() < 0);  // out of the upper half
        area += normal.norm();
      }
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) held += model.mesh.owned(n) && model.mesh.node(n).marks;
    CHECK(comm.sum(area) == Approx(0.1 * 0.1).epsilon(1e-12));
    CHECK(comm.sum(held) == 6);  // 2 x 3; those at the tip are on neither side
    run_until(simulation, 2e-3);
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
      const Vec3 u = model.p[static_cast<std::size_t>(n)].xyz() - model.mesh.node(n).X;
      if (model.mesh.node(n).marks) CHECK(u.z() == Approx(-1e-3));
    }
    return simulation::state_hash(model, comm);
  };
  CHECK(run(Comm()) == run(Comm(MPI_COMM_SELF)));
}

TEST_CASE("nodes whose condition has ended are free, and the ledger stays right",
          "[physics][starting_states][parallel]")
{
  const auto error = [](int steps_held) {
    const double step = 0.005 / steps_held;
    test::Simulation simulation(Comm(), let_go());
    simulation.compute_forces();
    simulation.history_row();
    const auto run_to = [&](std::int64_t steps) {
      while (simulation.state.steps < steps)
        simulation.advance(step, static_cast<double>(simulation.state.steps + 1) * step);
      simulation.compute_forces();
      return simulation.history_row().energy;
    };
    const auto right_end = [](const Vec3& X) { return X.x() > 0.199; };
    const auto held = run_to(steps_held);
    CHECK(simulation.state.time == 0.005);
    CHECK(test::body_of(simulation, Comm(), right_end).velocity().x() == Approx(4));
    CHECK(held.external > 1);
    const auto later = run_to(3 * steps_held);
    CHECK(std::abs(test::body_of(simulation, Comm(), right_end).velocity().x() - 4) > 1);
    // What came after is that of the fixed end, which does no work.
    CHECK(later.external == Approx(held.external).epsilon(0.02));
    return std::max(std::abs(held.relative_error), std::abs(later.relative_error));
  };
  const double coarse = error(200), fine = error(400);
  CAPTURE(coarse, fine);
  CHECK(coarse < 0.01);
  CHECK(coarse / fine > 1.8);
}

TEST_CASE("a run restarted before or after a condition's end is the same run", "[physics][starting_states][parallel]")
{
  const Comm comm;
  const config::Scene scene = let_go();
  const std::string text = config::to_yaml(scene);
  CHECK(text.find("until: 0.005") != std::string::npos);
  for (const double stop : {0.003, 0.007}) {
    const auto file = std::filesystem::temp_directory_path() / fmt::format("sunder_let_go_{}.h5", comm.size());
    test::Simulation straight(comm, scene);
    run_until(straight, stop);
    while (!straight.at_sync_point()) straight.advance(straight.step_size());
    const double stored = straight.state.time;
    io::write_bodies(comm, file, io::FileKind::checkpoint,
                     simulation::stored_bodies(straight.state, *straight.stepper, text));
    run_until(straight, 0.005 + stored);
    simulation::RestartState from = simulation::read_restart(comm, file, scene, text);
    test::Simulation second(comm, scene, from);
    run_until(second, 0.005 + stored);
    CHECK(simulation::state_hash(second.model(), comm) == simulation::state_hash(straight.model(), comm));
  }
}
