#include "example.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace sunder;
using namespace sunder::config;
using namespace sunder::config::testing;

TEST_CASE("every shipped scene is good, by name and from any folder", "[config][scenes]")
{
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SUNDER_SOURCE_DIR "/config/scenes")) {
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    const Scene scene = load_scene(name, {});
    CHECK(scene.name == name);
    CHECK_FALSE(scene.title.empty());
    CHECK_FALSE(scene.bodies.empty());
    ++count;
  }
  CHECK(count >= 4);
}

TEST_CASE("the wall's two scenes differ as in the paper: adobe, and a ball of fifty times the mass", "[config][scenes]")
{
  const Scene light = load_scene("wall", {}), heavy = load_scene("wall_heavy_ball", {});
  CHECK(light.materials.at(0).name == "adobe");
  CHECK(heavy.materials.at(0).name == "adobe_2");
  CHECK(heavy.obstacles.at(0).mass == 50 * light.obstacles.at(0).mass);
}

TEST_CASE("the variants that comments of shipped scenes propose can be set", "[config][scenes]")
{
  const std::vector<std::string> basic{"fracture.residual=0", "fracture.back_crack_angle=0", "time.step_factor=10"};
  const Scene block = load_scene("cut_block", basic);
  CHECK(block.fracture.residual == 0);
  CHECK(block.time.step_factor == 10);
  const std::vector<std::string> fine{"bodies.block.mesh.size=0.035", "fracture.remesh=false", "time.safety=0.08"};
  CHECK(load_scene("cut_block", fine).bodies.at(0).mesh.size == 0.035);
  const std::vector<std::string> weak{"bodies.bowl.material=bowl_4"};
  CHECK(load_scene("bowl", weak).materials.at(0).toughness == 13.2);
  const std::vector<std::string> own{"bodies.bowl.material.toughness.force=20"};
  CHECK(load_scene("bowl", own).materials.at(0).toughness == 20);
  const std::vector<std::string> free_surface{"bodies.wall.material={base: concrete, toughness: {G_c: 141}}"};
  CHECK(load_scene("concrete_wall", free_surface).materials.at(0).cohesion.energy == 0);
}

TEST_CASE("a scene that does not exist names the nearest that does", "[config][scenes]")
{
  CHECK_THROWS_WITH(load_scene("wal", {}), Catch::StartsWith("wal: expected a scene file or one of arch bowl ") &&
                                               Catch::EndsWith("got 'wal'; did you mean 'wall'?"));
  CHECK_THROWS_AS(load_scene("/no/such/scene.yaml", {}), Error);
  CHECK_THROWS_AS(load_scene("", {}), Error);
  CHECK_THROWS_AS(load_scene("/", {}), Error);
}

TEST_CASE("SUNDER_DATA moves the shipped files", "[config][scenes]")
{
  const SceneFolder folder;
  const std::string before = data_directory();
  CHECK(before == SUNDER_SOURCE_DIR "/config");
  REQUIRE(::setenv("SUNDER_DATA", folder.file("").c_str(), 1) == 0);
  CHECK(data_directory() == folder.file(""));
  CHECK_THROWS_AS(load_scene("wall", {}), Error);
  std::filesystem::create_directories(folder.file("geometry"));
  std::ofstream(folder.file("geometry/moved.geo")) << "\n";
  const std::string text = replaced(smallest, "{file: plate.msh}", "{geometry: moved.geo, size: 1}");
  CHECK(folder.parse(text).bodies.at(0).mesh.geometry == folder.file("geometry/moved.geo"));
  REQUIRE(::unsetenv("SUNDER_DATA") == 0);
  CHECK(folder.error(text).starts_with("scene.yaml:3:22: bodies.plate.mesh.geometry: expected an existing file"));
}
