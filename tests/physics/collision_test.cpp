#include "config/parser.hpp"
#include "io/gmsh_writer.hpp"
#include "simulation/observe.hpp"
#include "simulation/simulation.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <filesystem>

using namespace sunder;

namespace {

/// Two cubes of 0.1 m, written by rank 0 for all.
std::string cube_file(const Comm& comm)
{
  const auto file = std::filesystem::temp_directory_path() / "sunder_collision_test_cube.msh";
  if (comm.rank() == 0) io::write_gmsh(test::box_mesh(3, 3, 3, 0.1 / 3, 0.2, 5), file.string());
  comm.barrier();
  return file.string();
}

std::string scene_of(const std::string& cube, const std::string& second, const std::string& collisions)
{
  return fmt::format(R"(
materials:
  rubber: {{E: 1.0e7, nu: 0.3, density: 1000}}
bodies:
  - {{name: a, mesh: {{file: {0}}}, material: rubber, velocity: [1, 0, 0]}}
  - {{name: b, mesh: {{file: {0}}}, material: rubber, velocity: [-2, 0, 0], {1}}}
collisions: {2}
fracture: {{enabled: false}}
time: {{end: 0.1}}
)",
                     cube, second, collisions);
}

struct Result {
  simulation::Inventory before, after;
  double kinetic_before = 0, kinetic_after = 0, deepest_contact = 0, contact_after = 0;
  std::uint64_t hash = 0;
};

Result collide(const Comm& comm, const std::string& text)
{
  simulation::Simulation simulation(comm, config::parse_scene(text, "/tmp/scene.yaml", {}));
  Result result;
  simulation.compute_forces();
  result.before = simulation::take_inventory(simulation.model(), comm);
  result.kinetic_before = simulation.history_row(1).energy.kinetic;
  while (simulation.time() < 0.04) {
    simulation.advance(simulation.step_size());
    simulation.compute_forces();
    if (simulation.steps() % 10 == 0)
      result.deepest_contact = std::max(result.deepest_contact, simulation.history_row(1).energy.contact);
  }
  result.after = simulation::take_inventory(simulation.model(), comm);
  const auto energy = simulation.history_row(1).energy;
  result.kinetic_after = energy.kinetic + energy.elastic, result.contact_after = energy.contact;
  result.hash = simulation::state_hash(simulation.model(), comm);
  return result;
}

}  // namespace

TEST_CASE("bodies that collide keep momentum and, undamped, energy, the same on any number of ranks",
          "[physics][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const std::string cube = cube_file(world);
  // Corner first and off centre: linear and angular momentum both change hands.
  const std::string oblique = "position: [0.2, 0.06, 0.05], rotation: {axis: [1, 2, 3], angle: 0.7}";
  const Result elastic = collide(world, scene_of(cube, oblique, "{damping: 0}"));
  CHECK(elastic.deepest_contact > 0.1 * elastic.kinetic_before);  // they did meet
  const double momentum = elastic.before.mass * 3, turn = momentum * 0.1;
  CHECK((elastic.after.momentum - elastic.before.momentum).norm() < 1e-10 * momentum);
  CHECK((elastic.after.angular_momentum - elastic.before.angular_momentum).norm() < 1e-8 * turn);
  CHECK(std::abs(elastic.kinetic_after - elastic.kinetic_before) < 0.01 * elastic.kinetic_before);

  CHECK(elastic.hash == collide(alone, scene_of(cube, oblique, "{damping: 0}")).hash);

  const Result damped = collide(world, scene_of(cube, oblique, "{friction: 0.5}"));
  CHECK(damped.contact_after > 0.01 * damped.kinetic_before);
  CHECK((damped.after.momentum - damped.before.momentum).norm() < 1e-10 * momentum);

  const Result by_nodes = collide(world, scene_of(cube, oblique, "{criterion: nodes, damping: 0}"));
  CHECK(by_nodes.deepest_contact > 0.1 * by_nodes.kinetic_before);
  CHECK((by_nodes.after.momentum - by_nodes.before.momentum).norm() < 1e-10 * momentum);
  CHECK((by_nodes.after.angular_momentum - by_nodes.before.angular_momentum).norm() < 1e-8 * turn);
  CHECK(by_nodes.hash != elastic.hash);
  CHECK(by_nodes.hash == collide(alone, scene_of(cube, oblique, "{criterion: nodes, damping: 0}")).hash);

  const Result through = collide(world, scene_of(cube, oblique, "{enabled: false}"));
  CHECK(through.deepest_contact == 0);
}
