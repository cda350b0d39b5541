#include "simulation/setup/fast_motions.hpp"

#include <catch2/catch.hpp>

using namespace sunder;

namespace {

/// Of a material in which sound travels at 1000 m/s.
config::Scene scene_of_chalk()
{
  config::Scene scene;
  material::Material chalk;
  chalk.name = "chalk", chalk.lambda = 0, chalk.mu = 5.0e8, chalk.density = 1000;
  scene.materials = {chalk};
  scene.time.end = 1;
  return scene;
}

contact::Obstacle punch(double depth)
{
  contact::Obstacle obstacle;
  obstacle.name = "punch", obstacle.motion = rigid::MotionKind::path, obstacle.radius = 0.1;
  obstacle.path = {{0, Vec3::Zero()}, {0.5, Vec3::Zero()}, {0.501, Vec3(0, 0, -depth)}};
  return obstacle;
}

}  // namespace

TEST_CASE("an obstacle whose path is faster than sound is noted", "[setup][obstacles]")
{
  config::Scene scene = scene_of_chalk();
  scene.obstacles = {punch(0.9)};
  CHECK(simulation::given_speed(scene.obstacles[0], 1) == Approx(900));
  CHECK(simulation::given_speed(scene.obstacles[0], 0.4) == 0);
  CHECK(simulation::notes_on_fast_motions(scene, 0).empty());
  scene.obstacles = {punch(1.1)};
  const auto notes = simulation::notes_on_fast_motions(scene, 0);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with(
      "obstacles.punch: expected a speed below that of sound in materials.chalk, 1e+03 m/s, got 1.1e+03 m/s"));
  scene.solver.method = config::Method::static_equilibrium;
  CHECK(simulation::notes_on_fast_motions(scene, 0).empty());
}

TEST_CASE("of bodies faster than sound the fastest is noted", "[setup]")
{
  config::Scene scene = scene_of_chalk();
  scene.bodies.resize(3);
  scene.bodies[1].name = "shot";
  scene.bodies[1].velocity = Vec3(0, 0, -900);
  CHECK(simulation::notes_on_fast_motions(scene, 0).empty());
  scene.bodies[1].velocity = Vec3(0, 0, -1100), scene.bodies[2].velocity = Vec3(0, 1050, 0);
  const auto notes = simulation::notes_on_fast_motions(scene, 0);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("bodies.shot: expected a speed below that of sound"));
}

TEST_CASE("a boundary condition that is faster than sound is noted", "[setup]")
{
  config::Scene scene = scene_of_chalk();
  config::BoundaryCondition pull;
  pull.name = "pull", pull.displacement = {{0, Vec3::Zero()}, {0.001, Vec3(0, 0, 0.6)}};
  scene.boundary = {pull};
  CHECK(simulation::notes_on_fast_motions(scene, 0).empty());
  scene.boundary[0].displacement[1].smooth = true;  // 1.875 times as fast half way
  CHECK(simulation::notes_on_fast_motions(scene, 0).size() == 1);
  scene.boundary[0].displacement.clear();
  scene.boundary[0].velocity = {{0, Vec3(0, 1001, 0)}};
  CHECK(simulation::notes_on_fast_motions(scene, 0).size() == 1);
}

TEST_CASE("nodes that spin or spread apart faster than sound are noted", "[setup]")
{
  config::Scene scene = scene_of_chalk();
  const std::vector<Vec3> velocities{Vec3(0, 1, 0), Vec3(-600, 0, 800), Vec3::Zero()};
  CHECK(simulation::greatest_speed(velocities) == Approx(1000));
  CHECK(simulation::notes_on_fast_motions(scene, 999).empty());
  const auto notes = simulation::notes_on_fast_motions(scene, 1001);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("bodies: expected nodes that start below the speed of sound in materials.chalk"));
}
