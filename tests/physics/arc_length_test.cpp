// Paths of equilibria along which loads fall.

#include "config/schema.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "simulation/run/restart.hpp"
#include "support/bodies.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

using namespace sunder;

namespace {

// Half of a shallow truss of two bars (von Mises 1923): a bar from a hinge, up to the apex in the plane of symmetry.
constexpr double span = 1, height = 0.04, thickness = 0.05, width = 0.05, E = 1e7;

/// The bar, straight and inclined; its end faces are upright.
std::string bar_mesh()
{
  mesh::MeshData mesh = test::box_mesh(20, 1, 2, thickness);
  for (Vec3& x : mesh.nodes)
    x = Vec3(x.x() * span / (20 * thickness), x.y() * width / thickness,
             (x.z() / (2 * thickness) - 0.5) * thickness + height * x.x() / (20 * thickness));
  return test::mesh_file("truss", mesh);
}

/// more: of the scene. apex: how the line in the plane of symmetry is held besides along x.
config::Scene truss(const std::string& control, double traction, const std::string& more, const std::string& apex = "")
{
  return test::scene(fmt::format(R"(
materials:
  stuff: {{E: {}, nu: 0, density: 1000}}
bodies:
  - {{name: bar, mesh: {{file: {}}}, material: stuff}}
boundary:
  - {{name: hinge, where: {{box: {{min: [-1, -1, -1.0e-6], max: [1.0e-6, 1, 1.0e-6]}}}}, fixed: true}}
  - {{name: symmetry, where: {{box: {{min: [0.999999, -1, 0.039999], max: [2, 1, 0.040001]}}}}, fixed: true, axes: x}}
{}
loads:
  - name: weight
    where: {{box: {{min: [0.999999, -1, -1], max: [2, 1, 1]}}}}
    traction: [{{time: 0, traction: [0, 0, 0]}}, {{time: 1, traction: [0, 0, {}]}}]
fracture: {{enabled: false}}
collisions: {{enabled: false}}
solver: {{method: static, load_control: {}, reproducible: true, newton: {{tolerance: 1.0e-11}}}}
{}
)",
                                 E, bar_mesh(), apex, -traction, control, more));
}

/// A bar of St. Venant and Kirchhoff's material between hinges: P (2 L^3) = E A z (z^2 - h^2), upwards.
double closed_form(double z)
{
  const double L = std::sqrt(span * span + height * height);
  return E * thickness * width / (2 * L * L * L) * z * (height * height - z * z);
}

struct Point {
  double z = 0, load = 0;  // of the apex [m]; downwards [N]
};

Point point(test::Simulation& simulation, double traction)
{
  simulation.compute_forces();
  const auto row = simulation.history_row();
  const double down = traction * thickness * width * simulation.state.load_time();
  return {height + row.reactions[1].displacement.z(), down};
}

constexpr double traction = 300;  // more than twice what the truss bears

std::vector<Point> follow(test::Simulation& simulation, double end)
{
  std::vector<Point> path;
  while (simulation.state.time < end * (1 - 1e-12)) {
    simulation.advance(std::min(simulation.step_size(), end - simulation.state.time));
    path.push_back(point(simulation, traction));
  }
  return path;
}

}  // namespace

TEST_CASE("the path of a shallow truss goes past both of its limits, where the closed form has them",
          "[physics][static][arc_length]")
{
  test::Simulation simulation(Comm(), truss("arc_length", traction, "time: {end: 4.8, step: 0.1}"));
  const std::vector<Point> path = follow(simulation, 4.8);
  const auto below = [](const Point& a, const Point& b) { return a.load < b.load; };
  const Point highest = *std::max_element(
                  path.begin(), std::find_if(path.begin(), path.end(), [](const Point&p) { return p.z < 0; }), below),
              lowest = *std::min_element(path.begin(), path.end(), below);
  const double limit = closed_form(height / std::sqrt(3.0));
  CHECK(highest.load == Approx(limit).epsilon(0.05));  // hinges give way a little
  CHECK(highest.z == Approx(height / std::sqrt(3.0)).epsilon(0.1));
  CHECK(lowest.load == Approx(-limit).epsilon(0.05));
  CHECK(path.back().z < -1.1 * height);  // through to the other side, where it bears again
  CHECK(path.back().load > 0);
  for (std::size_t k = 1; k < path.size(); ++k) CHECK(path[k].z < path[k - 1].z);  // and never back
  for (const Point& p : path) CHECK(std::abs(p.load - closed_form(p.z)) < 0.08 * limit);
}

TEST_CASE("a point of the path is the equilibrium that is found when the apex is held there",
          "[physics][static][arc_length]")
{
  test::Simulation simulation(Comm(), truss("arc_length", traction, "time: {end: 3, step: 0.1}"));
  const std::vector<Point> path = follow(simulation, 3);
  int falling = 0;
  for (std::size_t k = 2; k < path.size(); k += 7) {
    falling += path[k].load < path[k - 1].load;
    const std::string apex = fmt::format(
        "  - {{name: held, where: {{box: {{min: [0.999999, -1, 0.039999], max: [2, 1, 0.040001]}}}}, axes: z, "
        "displacement: [{{time: 0, displacement: [0, 0, 0]}}, {{time: 1, displacement: [0, 0, {:.17g}]}}]}}",
        path[k].z - height);
    test::Simulation held(Comm(),
                          truss("time", path[k].load / (thickness * width), "time: {end: 1, step: 0.25}", apex));
    while (held.state.time < 1 - 1e-12) held.advance(std::min(held.step_size(), 1 - held.state.time));
    held.compute_forces();
    const double limit = closed_form(height / std::sqrt(3.0));
    CHECK(std::abs(held.history_row().reactions[2].force.z()) < 1e-6 * limit);  // nothing is left to hold
  }
  CHECK(falling > 0);
}

TEST_CASE("paths have the same bits on any number of ranks, repartitioned and after a restart",
          "[physics][static][arc_length][reproducible]")
{
  const auto scene = [] { return truss("arc_length", traction, "time: {end: 3, step: 0.2}"); };
  const auto hash = [](const test::Simulation& s) { return simulation::state_hash(s.model(), s.state.comm); };
  const Comm world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  test::Simulation whole(self, scene());
  follow(whole, 1.5);
  follow(whole, 3);
  test::Simulation parts(world, scene());
  follow(parts, 1.5);
  parts.repartition();
  const auto file = std::filesystem::temp_directory_path() / fmt::format("sunder_path_{}.h5", world.size());
  const config::Scene same = scene();
  const std::string text = config::to_yaml(same);
  io::write_bodies(world, file, io::FileKind::checkpoint, simulation::stored_bodies(parts.state, *parts.stepper, text));
  follow(parts, 3);
  CHECK(hash(parts) == hash(whole));
  CHECK(parts.state.load_lag == whole.state.load_lag);
  world.barrier();
  simulation::RestartState from = simulation::read_restart(self, file, same, text);
  test::Simulation again(self, same, from);
  follow(again, 3);
  CHECK(hash(again) == hash(whole));
}
