#include "config/parser.hpp"
#include "io/mesh_files/gmsh_writer.hpp"
#include "simulation/diagnostics/totals.hpp"
#include "support/cube_mesh.hpp"
#include "support/simulation.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <filesystem>

using namespace sunder;

namespace {

/// A block of 0.2 x 0.2 x 0.1 m about the origin, written by rank 0 for all.
std::string block_file(const Comm& comm)
{
  const auto file = std::filesystem::temp_directory_path() / "sunder_free_obstacle_test.msh";
  if (comm.rank() == 0) {
    mesh::MeshData block = test::box_mesh(4, 4, 2, 0.05, 0.2, 5);
    for (Vec3& x : block.nodes) x -= Vec3(0.1, 0.1, 0.05);
    io::write_gmsh(block, file.string());
  }
  comm.barrier();
  return file.string();
}

/// Bodies and obstacles together.
struct Whole {
  Vec3 momentum, angular_momentum;
};

Whole take(const test::Simulation& s, const Comm& comm)
{
  const simulation::Totals bodies = simulation::totals(s.model(), comm);
  Whole whole{bodies.momentum, bodies.angular_momentum};
  for (std::size_t k = 0; k < s.state.obstacle_motions.size(); ++k) {
    const rigid::Motion& motion = s.state.obstacle_motions[k];
    const Vec3 momentum = s.state.obstacles[k].mass * motion.velocity;
    whole.momentum += momentum;
    whole.angular_momentum += motion.position.cross(momentum) + motion.angular_momentum;
  }
  return whole;
}

struct Result {
  Whole before, after;
  double initial_energy = 0, energy = 0, deepest_contact = 0;
  Vec3 spin = Vec3::Zero(), velocity = Vec3::Zero();  // of the obstacle
  std::int64_t events = 0;
  std::uint64_t hash = 0;
  simulation::StepLimit limit;
};

Result fly(const Comm& comm, const std::string& text)
{
  test::Simulation s(comm, config::parse_scene(text, "/tmp/scene.yaml", {}));
  const double end = config::parse_scene(text, "/tmp/scene.yaml", {}).time.end;
  Result r;
  s.compute_forces();
  r.before = take(s, comm);
  r.initial_energy = s.history_row().energy.kinetic;
  r.limit = s.stepper->limit();
  while (s.state.time < end) {
    s.advance(s.step_size());
    s.compute_forces();
    if (s.state.steps % 20 == 0) r.deepest_contact = std::max(r.deepest_contact, s.history_row().energy.contact);
  }
  r.after = take(s, comm);
  const simulation::Energy energy = s.history_row().energy;
  r.energy = energy.kinetic + energy.elastic;
  r.spin = s.state.obstacle_motions[0].spin, r.velocity = s.state.obstacle_motions[0].velocity;
  r.events = s.state.events, r.hash = simulation::state_hash(s.model(), comm);
  return r;
}

std::string scene_of(const std::string& mesh, const std::string& obstacle, const std::string& rest)
{
  return fmt::format(R"(
materials:
  rubber: {{E: 1.0e7, nu: 0.3, density: 1000, toughness: {{force: 60}}}}
bodies:
  - {{name: block, mesh: {{file: {}}}, material: rubber}}
obstacles:
  - {{name: striker, {}}}
{}
)",
                     mesh, obstacle, rest);
}

const std::string loose = "fracture: {enabled: false}\ntime: {end: 0.03}";

}  // namespace

TEST_CASE("a free box that hits a block keeps momentum and angular momentum and, undamped, energy",
          "[physics][parallel]")
{
  const Comm world;
  const std::string mesh = block_file(world);
  struct Case {
    std::string box;
    double friction, energy;  // energy: share that may be gained or lost
  };
  // A plate that lands on a corner of the block, off its centre. Then a box with its own corner first: there the
  // direction of T 5.4 is a mean of three faces', and the force is not quite the gradient of an energy.
  const std::string plate =
      "box: {size: [0.4, 0.4, 0.05]}, mass: 3, position: [0.1, 0.05, 0.14], rotation: {axis: [1, -2, 0], angle: 0.2}";
  const std::string corner =
      "box: {size: [0.1, 0.08, 0.06]}, mass: 1.5, position: [0.06, 0.03, 0.14], rotation: {axis: [1, 2, 3], angle: "
      "0.7}";
  for (const auto& [box, friction, energy] : {Case{plate, 0, 0.01}, {corner, 0, 0.1}, {corner, 0.5, 0}}) {
    const std::string flying = ", motion: free, velocity: [0.5, 0, -3], spin: [3, -4, 5]";
    const Result r = fly(world, scene_of(mesh, box + flying + fmt::format(", friction: {}", friction), loose));
    CAPTURE(box, friction, r.initial_energy, r.energy, r.spin);
    CHECK(r.deepest_contact > 0.05 * r.initial_energy);  // they did meet
    CHECK((r.spin - Vec3(3, -4, 5)).norm() > 2);
    const double momentum = r.before.momentum.norm();
    CHECK((r.after.momentum - r.before.momentum).norm() < 1e-12 * momentum);
    CHECK((r.after.angular_momentum - r.before.angular_momentum).norm() < 1e-12 * 0.2 * momentum);
    if (friction > 0)
      CHECK(r.energy < 0.98 * r.initial_energy);
    else
      CHECK(std::abs(r.energy - r.initial_energy) < energy * r.initial_energy);
  }
}

TEST_CASE("a plate far lighter than the elements it hits sets the step, and is thrown back", "[physics][parallel]")
{
  const Comm world;
  const std::string mesh = block_file(world);
  const std::string plate =
      "box: {size: [0.18, 0.18, 0.04]}, motion: free, mass: 0.02, position: [0, 0, 0.075], velocity: [0, 0, -20]";
  for (const auto& [safety, error] : {std::pair{0.8, 0.05}, {0.1, 0.005}}) {  // of its few steps in touch
    const Result r = fly(
        world,
        scene_of(mesh, plate, fmt::format("fracture: {{enabled: false}}\ntime: {{end: 0.003, safety: {}}}", safety)));
    CAPTURE(r.initial_energy, r.energy, r.limit.seconds);
    CHECK(r.limit.kind == "contact");
    CHECK(r.velocity.z() > 10);
    CHECK(std::abs(r.energy - r.initial_energy) < error * r.initial_energy);
  }
}

TEST_CASE("friction turns a sphere that slides, and brakes a box that spins", "[physics][parallel]")
{
  const Comm world;
  const std::string mesh = block_file(world);
  const std::string held =
      "gravity: [0, 0, -10]\nboundary:\n  - {name: table, where: {box: {min: [-1, -1, -1], max: [1, 1, -0.04]}}, "
      "fixed: "
      "true}\nfracture: {enabled: false}\ntime: {end: 0.1}";
  const std::string free = ", motion: free, mass: 1, damping: 1e9, friction: 0.2";
  const Result slid = fly(
      world, scene_of(mesh, "sphere: {radius: 0.05}, position: [-0.06, 0, 0.1], velocity: [0.6, 0, 0]" + free, held));
  CAPTURE(slid.velocity, slid.spin);
  // mu g = 2 m/s^2 slows it, and turns it at mu g R / (2/5 R^2), about the axis that rolls it forwards.
  CHECK(slid.velocity.x() == Approx(0.6 - 0.2).margin(0.03));
  CHECK(slid.spin.y() == Approx((0.6 - slid.velocity.x()) / (0.4 * 0.05)).epsilon(0.04));  // its lever is R - depth

  const Result spun = fly(
      world, scene_of(mesh, "box: {size: [0.08, 0.08, 0.04]}, position: [0, 0, 0.07], spin: [0, 0, 40]" + free, held));
  CAPTURE(spun.spin);
  // Pressed evenly on a square of side a: torque mu m g 0.3826 a against inertia m a^2/6.
  CHECK(spun.spin.z() == Approx(40 - 6 * 0.3826 * 2 / 0.08 * 0.1).epsilon(0.05));
  CHECK(std::abs(spun.spin.x()) < 1);
}

TEST_CASE("a spinning box breaks a block into the same fragments on any number of ranks", "[physics][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const std::string mesh = block_file(world);
  for (const char* criterion : {"overlap", "nodes"}) {  // of fragments too
    const std::string text = scene_of(
        mesh,
        "box: {size: [0.12, 0.03, 0.06]}, motion: free, mass: 3, position: [0.02, 0, 0.1], velocity: [0, 0, -8], "
        "rotation: {axis: [1, 0, 1], angle: 0.4}, spin: [5, 20, 0], friction: 0.4",
        fmt::format("collisions: {{criterion: {}}}\ntime: {{end: 0.004}}", criterion));
    const Result together = fly(world, text), one = fly(alone, text);
    CAPTURE(criterion);
    CHECK(together.events > 10);
    CHECK(together.hash == one.hash);
    CHECK(together.spin == one.spin);
  }
}

TEST_CASE("a body that starts in an obstacle is warned of, one that rests on it is not", "[physics][contact][parallel]")
{
  const Comm comm;
  const std::string file = block_file(comm);
  const auto warnings = [&](double floor) {
    const std::string text = fmt::format(R"(
materials:
  rubber: {{E: 1.0e6, nu: 0.3, density: 1000}}
bodies:
  - {{name: block, mesh: {{file: {}}}, material: rubber}}
obstacles:
  - {{name: floor, half_space: {{normal: [0, 0, 1]}}, position: [0, 0, {}]}}
  - {{name: ball, sphere: {{radius: 0.1}}, position: [0, 0, 0.3]}}
time: {{end: 0.1}}
)",
                                         file, floor);
    return test::Simulation(comm, config::parse_scene(text, "/tmp/scene.yaml", {})).state.warnings;
  };
  CHECK(warnings(-0.0499).empty());
  const auto interpenetration = warnings(-0.04);
  if (comm.rank() != 0) return;
  REQUIRE(interpenetration.size() == 1);
  CHECK(interpenetration[0] ==
        "bodies.block starts 0.01 m deep in obstacles.floor, about (0, 0, -0.045) m, which will push it out; move one "
        "of them");
}
