#include "simulation/setup/unloaded_scene.hpp"

#include <catch2/catch.hpp>

using namespace sunder;

TEST_CASE("a static scene in which nothing acts is noted", "[setup][static]")
{
  config::Scene scene;
  scene.solver.method = config::Method::static_equilibrium;
  scene.boundary.emplace_back().velocity = {{0, Vec3::Zero()}};  // holds its nodes where they are
  REQUIRE(simulation::notes_on_unloaded_scene(scene).size() == 1);

  config::Scene loaded = scene;
  loaded.loads.emplace_back();
  CHECK(simulation::notes_on_unloaded_scene(loaded).empty());
  config::Scene heavy = scene;
  heavy.gravity = {0, 0, -9.81};
  CHECK(simulation::notes_on_unloaded_scene(heavy).empty());
  config::Scene turned = scene;
  turned.boundary[0].rotation.emplace();
  CHECK(simulation::notes_on_unloaded_scene(turned).empty());
  config::Scene pulled = scene;
  pulled.boundary[0].velocity = {{0, Vec3::Zero()}, {1, Vec3(0, 0, 1)}};
  CHECK(simulation::notes_on_unloaded_scene(pulled).empty());
  config::Scene pressed = scene;
  pressed.obstacles.emplace_back();
  CHECK(simulation::notes_on_unloaded_scene(pressed).empty());
  scene.solver.method = config::Method::explicit_dynamics;  // may be in motion
  CHECK(simulation::notes_on_unloaded_scene(scene).empty());
}
