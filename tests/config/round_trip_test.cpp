#include "config/schema.hpp"
#include "example.hpp"
#include "same_scene.hpp"

#include <cmath>
#include <sstream>

using namespace sunder;
using namespace sunder::config;
using namespace sunder::config::testing;

TEST_CASE("the YAML of a scene reads back to the same scene", "[config]")
{
  const SceneFolder folder;
  const std::string by_nodes = smallest + "collisions: {criterion: nodes, friction: 0.2, resolve: initial_overlap}\n";
  CHECK(folder.parse(smallest).collisions.criterion == contact::ContactCriterion::overlap);
  CHECK(folder.parse(by_nodes).collisions.criterion == contact::ContactCriterion::nodes);
  for (const std::string& text : {smallest, full, motions, starting_states, by_nodes}) {
    const Scene scene = folder.parse(text);
    const std::string yaml = to_yaml(scene);
    CAPTURE(yaml);
    const Scene again = parse_scene(yaml, "/elsewhere/completed.yaml", {});  // files are absolute by now
    check_same(again, scene);
    CHECK(to_yaml(again) == yaml);
  }
}

TEST_CASE("auto stands for a whole number as for any other", "[config]")
{
  const SceneFolder folder;
  const auto pieces = [&](const std::string& text) {
    return folder.parse(replaced(full, "pieces: 3", text)).output.pieces;
  };
  CHECK(pieces("pieces: 5") == 5);
  CHECK(pieces("pieces: auto") == 0);
  CHECK(pieces("pieces: 0") == 0);
  CHECK(to_yaml(folder.parse(full)).find("pieces: 3\n") != std::string::npos);
  CHECK(to_yaml(folder.parse(replaced(full, "pieces: 3", "pieces: 0"))).find("pieces: auto\n") != std::string::npos);
}

TEST_CASE("numbers keep all their bits in YAML", "[config]")
{
  const SceneFolder folder;
  std::uint64_t random = 7;
  for (int k = 0; k < 200; ++k) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const double x = std::ldexp(static_cast<double>(random >> 11), static_cast<int>(random % 100) - 100);
    Scene scene = folder.parse(smallest);
    scene.time.end = x, scene.gravity = Vec3(-x, x / 3, 1e-300);
    const Scene again = folder.parse(to_yaml(scene));
    REQUIRE(again.time.end == x);
    REQUIRE(again.gravity == scene.gravity);
  }
}

TEST_CASE("a direction has length one, however short it is written", "[config]")
{
  const SceneFolder folder;
  const Scene scene = folder.parse(replaced(full, "[1, 1, 0]", "[3e-99, 4e-99, 0]"));
  CHECK((scene.bodies[0].rotation_axis - Vec3(0.6, 0.8, 0)).norm() < 1e-15);
}

TEST_CASE("an inline material gets a name that nothing else has", "[config]")
{
  const SceneFolder folder;
  const std::string body = "  - {name: glass, mesh: {file: plate.msh}, material: {base: lead, k1: 1, k2: 2}}\n";
  const Scene scene = folder.parse(replaced(smallest, "time:", body + "time:"));
  REQUIRE(scene.materials.size() == 2);
  CHECK(scene.materials[0].name == "glass");
  CHECK(scene.materials[1].name == "glass_2");
  CHECK(scene.materials[1].density == 11370);
  CHECK(scene.bodies[1].material == 1);
}

TEST_CASE("a scene's own material comes before the library's of that name", "[config]")
{
  const SceneFolder folder;
  const Scene scene = folder.parse("materials: {glass: {lambda: 0, mu: 5, density: 6}}\n" + smallest);
  REQUIRE(scene.materials.size() == 1);
  CHECK(scene.materials[0].mu == 5);
  CHECK(scene.materials[0].lambda == 0);
}

TEST_CASE("the reference names every key a completed scene has", "[config]")
{
  const SceneFolder folder;
  const std::string text = schema_text(), page = schema_markdown();
  for (const char* key :
       {"title", "materials.NAME.density", "bodies[].mesh.size", "bodies[].mesh.refine", "bodies[].regions[].set",
        "obstacles[].friction.static", "obstacles[].path.circle.rate", "boundary[].rotation.angle[].time",
        "boundary[].where.cylinder.axis", "loads[].blast.falloff.power", "loads[].pressure[].time", "time.end",
        "fracture.back_crack_angle", "output.geometry", "partition.method"}) {
    CAPTURE(key);
    CHECK(text.find(std::string("\n") + key + " ") != std::string::npos);
    CHECK(page.find(std::string("| `") + key + "` |") != std::string::npos);
  }
  CHECK(text.find("number in [0, 1.5] [rad]") != std::string::npos);
}

TEST_CASE("docs/scene-reference.md is the schema, key by key", "[config]")
{
  INFO("build/bin/sunder schema --markdown > docs/scene-reference.md");
  std::istringstream page(read_whole_file(SUNDER_SOURCE_DIR "/docs/scene-reference.md")), schema(schema_markdown());
  for (std::string line, expected; std::getline(schema, expected);) {
    std::getline(page, line);
    REQUIRE(line == expected);  // the first that differs, rather than two pages
  }
  CHECK(page.peek() == std::istringstream::traits_type::eof());
}
