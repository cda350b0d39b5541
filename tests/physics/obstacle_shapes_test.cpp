#include "core/error.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"
#include "support/solids.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <fstream>

using namespace sunder;

namespace {

/// Collective. The solid as an STL in text.
std::string stl_file(const std::string& name, const test::Solid& solid)
{
  const Comm world;
  const auto file = std::filesystem::temp_directory_path() / ("sunder_" + name + ".stl");
  world.barrier();
  if (world.rank() == 0) {
    std::ofstream out(file);
    out << "solid s\n";
    for (const auto& t : solid.triangles) {
      out << "facet normal 0 0 0\nouter loop\n";
      for (const std::uint32_t n : t)
        out << fmt::format("vertex {} {} {}\n", solid.points[n].x(), solid.points[n].y(), solid.points[n].z());
      out << "endloop\nendfacet\n";
    }
    out << "endsolid s\n";
  }
  world.barrier();
  return file.string();
}

/// A block of rubber, 0.4 x 0.2 x 0.05 m, its upper side at z = 0. obstacle: its keys; rest: of the scene.
config::Scene over_block(const std::string& obstacle, const std::string& rest)
{
  mesh::MeshData block = test::box_mesh(8, 4, 1, 0.05);
  for (Vec3& x : block.nodes) x.z() -= 0.05;
  return test::scene(fmt::format(R"(
materials:
  rubber: {{E: 1.0e6, nu: 0.3, density: 1000, phi: 20, psi: 30}}
bodies:
  - {{name: block, mesh: {{file: {}}}, material: rubber}}
obstacles:
  - {{name: it, {}}}
collisions: {{enabled: false}}
fracture: {{enabled: false}}
time: {{end: 1}}
{})",
                                 test::mesh_file("obstacle_shapes", block), obstacle, rest));
}

const std::string held = "boundary: [{name: bed, where: {body: block}, fixed: true}]\n";

void run_until(test::Simulation& simulation, double end)
{
  while (simulation.state.time < end) simulation.advance(simulation.step_size());
  simulation.compute_forces();
}

}  // namespace

TEST_CASE("a cylinder that slides on a rough bed ends up rolling, with two thirds of its speed",
          "[physics][obstacle_shapes][parallel]")
{
  // Friction mu m g slows it and turns it, until its lowest line rests: m v = m v0 - J, m r^2/2 w = r J, v = r w.
  const std::string shape = GENERATE(as<std::string>(), "cylinder", "mesh");
  const std::string keys =
      shape == "cylinder" ? "cylinder: {radius: 0.05, length: 0.1, axis: [0, 1, 0]}"
                          : fmt::format("mesh: {{file: {}}}, rotation: {{axis: [1, 0, 0], angle: 1.5707963267948966}}",
                                        stl_file("roller", test::round_bar(0.05, 0.1, false, 120)));
  CAPTURE(shape);
  test::Simulation simulation(
      Comm(), over_block(keys + ", motion: free, mass: 1, position: [0.1, 0.1, 0.0495], velocity: [0.6, 0, 0], "
                                "stiffness: 1.0e+7, damping: 1.0e+6, friction: 0.8, slip_speed: 1.0e-3",
                         held + "gravity: [0, 0, -9.81]\n"));
  run_until(simulation, 0.12);
  const rigid::Motion& motion = simulation.state.obstacle_motions[0];
  const double tolerance = shape == "mesh" ? 0.1 : 0.03;  // a prism of 120 sides rattles
  CHECK(motion.velocity.x() == Approx(0.4).epsilon(tolerance));
  CHECK(motion.spin.y() == Approx(0.4 / 0.05).epsilon(tolerance));
  CHECK(std::abs(motion.velocity.y()) < 0.02);
  CHECK(motion.position.z() > 0.045);
}

TEST_CASE("obstacles of every shape, fast or tumbling, do not go through a block, and it is one run on any ranks",
          "[physics][obstacle_shapes][parallel]")
{
  const std::string shape = GENERATE(as<std::string>(), "cylinder", "capsule", "mesh");
  const std::string keys =
      shape == "cylinder"  ? "cylinder: {radius: 0.02, length: 0.08, axis: [1, 0.5, 0.2]}"
      : shape == "capsule" ? "capsule: {radius: 0.02, length: 0.05, axis: [1, 0.5, 0.2]}"
                           : fmt::format("mesh: {{file: {}, scale: 0.1}}, rotation: {{axis: [1, 2, 0], angle: 0.7}}",
                                         stl_file("brick", test::brick({0.6, 0.4, 0.3})));
  CAPTURE(shape);
  const auto run = [&](const Comm& comm) {
    test::Simulation simulation(
        comm, over_block(keys + ", motion: free, mass: 0.3, position: [0.2, 0.1, 0.06], velocity: [0, 0, -4], "
                                "spin: [3, 20, 5], friction: 0.4",
                         ""));
    simulation.compute_forces();
    simulation.history_row();
    const double block_mass = test::body_of(simulation, comm, [](const Vec3&) { return true; }).mass;
    run_until(simulation, 0.03);
    const rigid::Motion& motion = simulation.state.obstacle_motions[0];
    const test::Body block = test::body_of(simulation, comm, [](const Vec3&) { return true; });
    CHECK(block.velocity().z() < -0.05);
    CHECK(motion.position.z() > block.centre.z());
    // What one loses the other gets.
    CHECK((block.momentum + 0.3 * motion.velocity - Vec3(0, 0, -1.2)).norm() < 1e-9 * block_mass);
    CHECK(std::abs(simulation.history_row().energy.relative_error) < 0.05);
    return simulation::state_hash(simulation.model(), comm);
  };
  CHECK(run(Comm()) == run(Comm(MPI_COMM_SELF)));
}

TEST_CASE("a body that starts inside a cylinder, a capsule or a mesh is warned of, and a surface with a hole refused",
          "[physics][obstacle_shapes][parallel]")
{
  const auto warnings = [](const std::string& keys) {
    const test::Simulation simulation(Comm(), over_block(keys, ""));
    return std::count_if(simulation.state.warnings.begin(), simulation.state.warnings.end(),
                         [](const std::string& w) { return w.find("deep in obstacles.it") != std::string::npos; });
  };
  const std::string file = stl_file("brick", test::brick({0.6, 0.4, 0.3}));
  for (const std::string& keys : {std::string("cylinder: {radius: 0.05, length: 0.1, axis: [0, 1, 0]}"),
                                  std::string("capsule: {radius: 0.05, length: 0.1, axis: [0, 1, 0]}"),
                                  "mesh: {file: " + file + ", scale: 0.3}"}) {
    CAPTURE(keys);
    CHECK(warnings(keys + ", position: [0.2, 0.1, 0.03]") == 1);
    CHECK(warnings(keys + ", position: [0.2, 0.1, 0.3]") == 0);
  }
  test::Solid open = test::brick({1, 1, 1});
  open.triangles.pop_back();
  const std::string hole = stl_file("open_brick", open);
  try {
    warnings("mesh: {file: " + hole + "}");
    FAIL("an open surface was taken");
  } catch (const Error& error) {
    CHECK(std::string(error.what())
              .find("obstacles.it.mesh.file: " + hole + ": expected a closed surface: edges of one triangle") !=
          std::string::npos);
  }
}
