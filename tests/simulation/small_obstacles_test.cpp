#include "simulation/setup/small_obstacles.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using rigid::Shape;

TEST_CASE("an obstacle thinner than an edge of the mesh is noted", "[setup][obstacles]")
{
  config::Scene scene;
  for (const Shape shape : {Shape::half_space, Shape::sphere, Shape::box, Shape::cylinder, Shape::capsule}) {
    contact::Obstacle obstacle;
    obstacle.name = "it", obstacle.shape = shape;
    obstacle.radius = 0.06, obstacle.length = 0.1, obstacle.size = Vec3(1, 0.1, 1);
    scene.obstacles = {obstacle};
    CAPTURE(static_cast<int>(shape));
    CHECK(simulation::notes_on_small_obstacles(scene, 0.099).empty());
    CHECK(simulation::notes_on_small_obstacles(scene, 0.121).size() == (shape == Shape::half_space ? 0 : 1));
  }
  CHECK(simulation::notes_on_small_obstacles(scene, 0.121)[0].starts_with("obstacles.it is 0.12 m thin, less than "));
  scene.solver.method = config::Method::hybrid;
  CHECK(simulation::notes_on_small_obstacles(scene, 0.121).empty());
}
