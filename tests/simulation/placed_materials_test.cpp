#include "simulation/setup/placed_materials.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

using namespace sunder;
using material::ReferenceSize;
using material::ToughnessForm;

namespace {

/// One body for each level, all of the material 0, with a region of material 1.
config::Scene scene_of(const std::vector<int>& levels, ReferenceSize::Kind kind)
{
  config::Scene scene;
  scene.materials.resize(2);
  scene.materials[0].name = "chalk", scene.materials[0].toughness = 80;
  scene.materials[0].reference.kind = kind;
  scene.materials[1].name = "steel";
  for (const int level : levels) {
    config::Body body;
    body.name = "level_" + std::to_string(level), body.mesh.refine = level;
    body.regions.push_back({.key = "", .set = "core", .material = 1});
    scene.bodies.push_back(body);
  }
  return scene;
}

}  // namespace

TEST_CASE("two levels of refinement make an unrefined body's force exactly an eighth, one its root of an eighth",
          "[setup][toughness]")
{
  const auto placed = simulation::place_materials(scene_of({0, 1, 3}, ReferenceSize::Kind::unrefined));
  const auto force = [&](std::size_t body) { return placed.all[placed.of_body[body][0]].toughness; };
  CHECK(placed.of_body[0][0] == 0);
  CHECK(force(0) == 80);
  CHECK(force(1) == Approx(80 / std::sqrt(8)).epsilon(1e-15));
  CHECK(force(2) == force(1) / 8);
  for (std::size_t b = 0; b < 3; ++b) CHECK(placed.of_body[b][1] == 1);  // unbreakable: no copy
}

TEST_CASE("a force for any mesh, or of a given size, is left to each node", "[setup][toughness]")
{
  for (const auto kind : {ReferenceSize::Kind::none, ReferenceSize::Kind::given})
    CHECK(simulation::place_materials(scene_of({2}, kind)).all.size() == 2);
}

TEST_CASE("an interface's force follows the refinement of the body it is in", "[setup][toughness]")
{
  config::Scene scene = scene_of({0, 2}, ReferenceSize::Kind::none);
  scene.interfaces.push_back({0, 1, ToughnessForm::force, 32, {ReferenceSize::Kind::unrefined, 0}, {}});
  const auto placed = simulation::place_materials(scene);
  REQUIRE(placed.interfaces.size() == 2);
  CHECK(placed.interfaces[0].toughness == 32);
  CHECK(placed.interfaces[1].toughness == 4);
  CHECK(placed.interfaces[1].a == placed.of_body[1][0]);
  CHECK(placed.interfaces[1].b == placed.of_body[1][1]);
  CHECK(placed.all[placed.of_body[1][0]].toughness == 80);
}

TEST_CASE("a force for any mesh in a refined body is noted, and what can break only", "[setup][toughness]")
{
  const auto notes = simulation::notes_on_forces(scene_of({0, 2}, ReferenceSize::Kind::none));
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] ==
        "bodies.level_2.mesh.refine 2: materials.chalk.toughness.force holds for any size of elements, so the refined "
        "mesh is in effect 8 times as tough; with reference_size: unrefined beside the force it stays as tough as "
        "it was");
  CHECK(simulation::notes_on_forces(scene_of({2}, ReferenceSize::Kind::unrefined)).empty());
  CHECK(simulation::notes_on_forces(scene_of({2}, ReferenceSize::Kind::given)).empty());
  config::Scene whole = scene_of({2}, ReferenceSize::Kind::none);
  whole.fracture.enabled = false;
  CHECK(simulation::notes_on_forces(whole).empty());
}
