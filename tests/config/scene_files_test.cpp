#include "config/library_text.hpp"
#include "config/materials.hpp"
#include "config/schema.hpp"
#include "example.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using namespace sunder::config;
using namespace sunder::config::testing;

TEST_CASE("what one has found of a scene's files is all that another needs to parse it", "[config]")
{
  std::string answers, path, yaml;
  {
    const SceneFolder folder;
    path = folder.file("scene.yaml");
    SceneFiles files(folder.file(""));
    yaml = to_yaml(parse_scene(full, path, {}, files));
    answers = files.answers();
  }
  REQUIRE_THROWS_AS(parse_scene(full, path, {}), Error);  // the folder is gone
  SceneFiles told = SceneFiles::from_answers(answers);
  CHECK(to_yaml(parse_scene(full, path, {}, told)) == yaml);
}

TEST_CASE("a rank that gets the answers about a scene's files gets the material library with them", "[config]")
{
  REQUIRE(!material_library().empty());
  const std::string text = material_library_text();
  CHECK(text.find("steel") != std::string::npos);
  const std::string answers = SceneFiles("").answers();
  CHECK(answers.starts_with(text));
  SceneFiles::from_answers(answers);
  CHECK(material_library_text() == text);
}

TEST_CASE("a file that was not asked for is not known", "[config]")
{
  const SceneFolder folder;
  SceneFiles files(folder.file(""));
  CHECK(files.find("plate.msh", Lookup::scene_only).file == folder.file("plate.msh"));
  CHECK(files.find("none.msh", Lookup::scene_then_shipped).file.empty());
  SceneFiles told = SceneFiles::from_answers(files.answers());
  CHECK(told.find("plate.msh", Lookup::scene_only).file == folder.file("plate.msh"));
  CHECK(told.find("plate.msh", Lookup::scene_then_shipped).file.empty());
  CHECK(told.find("plate.geo", Lookup::scene_only).file.empty());
}

TEST_CASE("a file that --set names is looked for in the working directory, then as the scene's own", "[config]")
{
  const SceneFolder folder;
  const auto in_work = [&folder](const std::string& name) { return folder.file("work/" + name); };
  std::filesystem::create_directory(in_work(""));
  for (const char* name : {"mine.msh", "plate.msh"}) std::ofstream(in_work(name)) << "\n";
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(in_work(""));
  const auto named = [&folder](const std::string& name) {
    return folder.parse(smallest, {"bodies.plate.mesh={file: " + name + "}"}).bodies[0].mesh.file;
  };
  CHECK(named("mine.msh") == in_work("mine.msh"));
  CHECK(named("plate.msh") == in_work("plate.msh"));
  std::filesystem::remove("plate.msh");
  CHECK(named("plate.msh") == folder.file("plate.msh"));
  CHECK_THROWS_WITH(named("none.msh"),
                    Catch::Contains("looked for 'none.msh' and '" + folder.file("none.msh") + "'"));
  std::filesystem::current_path(before);
}
