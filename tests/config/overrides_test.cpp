#include "example.hpp"

#include <catch2/catch.hpp>

using namespace sunder::config;
using namespace sunder::config::testing;

TEST_CASE("--set changes, adds and goes through lists by number or name", "[config]")
{
  const SceneFolder folder;
  const Scene s =
      folder.parse(full, {"bodies.plate.mesh.size=0.25", "bodies.1.position=[1, 2, 3]", "obstacles.ball.mass=7",
                          "gravity.2=-1.62", "boundary.grip.velocity.1.velocity.0=3", "time.step=auto",
                          "time.scheme=euler", "time.local_steps=off", "time.macro_step=auto", "title=two words, here",
                          "materials.plaster.toughness.force=80", "time.end=1", "time.end=2"});
  CHECK(s.bodies[0].mesh.size == 0.25);
  CHECK(s.bodies[1].position == sunder::Vec3(1, 2, 3));
  CHECK(s.obstacles[0].mass == 7);
  CHECK(s.gravity == sunder::Vec3(0, 0, -1.62));
  CHECK(s.boundary[0].velocity[1].value == sunder::Vec3(3, 0, -1));
  CHECK(s.time.step == 0);
  CHECK(s.time.scheme == sunder::solvers::ExplicitScheme::euler);
  CHECK(s.materials[0].toughness == 80);
  CHECK(s.time.end == 2);  // the last one holds
  CHECK(folder.parse(smallest, {"fracture.remesh=false"}).fracture.remesh == false);
  CHECK(folder.parse(smallest, {"bodies.plate.rotation.angle=1"}).bodies[0].rotation_angle == 1);
  const Scene brackets = folder.parse(full, {"bodies[1].position=[1, 2, 3]", "gravity[2]=-1.62"});
  CHECK(brackets.bodies[1].position == sunder::Vec3(1, 2, 3));
  CHECK(brackets.gravity == sunder::Vec3(0, 0, -1.62));
}

TEST_CASE("--set below a bare value opens up what it is short for", "[config]")
{
  const SceneFolder folder;
  const Scene s = folder.parse(smallest, {"bodies.plate.material.toughness=10", "bodies.plate.material.density=2000"});
  REQUIRE(s.materials.size() == 1);
  CHECK(s.materials[0].toughness == 10);
  CHECK(s.materials[0].density == 2000);
  CHECK(s.materials[0].mu == 0.578e9);  // still glass
  CHECK(folder.parse(smallest, {"bodies.plate.material.toughness.force=11"}).materials[0].toughness == 11);
  CHECK(folder.parse(full, {"materials.hard plaster.toughness.force=12"}).materials[1].toughness == 12);
}

TEST_CASE("an error of --set names the setting", "[config]")
{
  const SceneFolder folder;
  const auto error = [&](const char* text) { return folder.error(full, {text}); };
  CHECK(error("time.end=x") == "--set time.end=x: time.end: expected a number > 0 [s], got 'x'");
  CHECK(error("time.ende=1") ==
        "--set time.ende=1: time.ende: expected one of end step safety step_factor scheme viscosity_cap "
        "mass_scaling_step inverted local_steps macro_step, got 'ende'; did you mean 'end'?");
  CHECK(error("bodies.plat.mesh.size=1") ==
        "--set bodies.plat.mesh.size=1: bodies: expected one of plate second, got 'plat'; did you mean 'plate'?");
  CHECK(error("bodies.7.mesh.size=1") == "--set bodies.7.mesh.size=1: bodies: expected one of plate second, got '7'");
  CHECK(error("time.end.x=1") ==
        "--set time.end.x=1: time.end: expected a mapping or a list, to set 'x' in it, got '0.5'");
  CHECK(error("time.end") == "--set time.end: expected key.path=value, got 'time.end'");
  CHECK(error("=1") == "--set =1: expected key.path=value, got '=1'");
  CHECK(error("time..end=1") == "--set time..end=1: expected key.path=value, got 'time..end=1'");
  CHECK(error("time.end=") == "--set time.end=: time.end: expected a number > 0 [s], got nothing");
  CHECK(error("time.end=[1") == "--set time.end=[1: expected a word as key, got a list; is a bracket not closed?");
  CHECK(error("time.end=\"1") == "--set time.end=\"1: expected YAML, got a syntax error: illegal EOF in scalar");
  CHECK(error("time={a: 1, a: 2}") == "--set time={a: 1, a: 2}: expected each key once, got 'a' again");
  CHECK(folder.error(smallest, {"obstacles=[]", "obstacles.ball.mass=1"}) ==
        "--set obstacles.ball.mass=1: obstacles: expected an item of the list, which is empty, got 'ball'");
  CHECK(
      folder.error(smallest, {"bodies.plate.velocity[0]=5"}) ==
      "--set bodies.plate.velocity[0]=5: bodies.plate.velocity: expected a list in the scene, to set item 0 of it, got "
      "nothing");
}
