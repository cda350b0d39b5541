#include "commands/scene_argument.hpp"

#include "config/files.hpp"
#include "config/parser.hpp"
#include "core/error.hpp"
#include "io/mesh_files/mesh_reader.hpp"
#include "io/surfaces/surface_reader.hpp"
#include "simulation/setup/obstacle_surfaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace sunder::commands {
namespace {

/// Throws Error for a mesh or a geometry in a format that other programs read.
void refuse_foreign(const std::string& path)
{
  constexpr std::array foreign{".vtk", ".inp", ".unv", ".med", ".mesh", ".bdf", ".off", ".step", ".stp", ".geo"};
  const std::string ending = std::filesystem::path(path).extension().string();
  if (std::find(foreign.begin(), foreign.end(), ending) == foreign.end()) return;
  throw Error(fmt::format(
      "{}: expected a scene (YAML), a mesh (.msh, .vtu, .pvtu, .ele, .node) or a surface (.stl, .obj, .ply), "
      "got '{}'; meshes of other formats become .msh by `gmsh -save FILE -o FILE.msh` or meshio, geometries "
      "by `gmsh -3` or, netgen's .geo, by `sunder mesh`",
      path, ending));
}

/// Throws Error for a mesh or a surface, which scenes name but are not, and for what runs write.
void refuse_what_scenes_name(const std::string& path)
{
  if (std::filesystem::path(path).extension() == ".h5")
    throw Error(
        fmt::format("{}: expected a scene (YAML), got a checkpoint or a decomposed mesh, by its ending .h5; "
                    "`sunder info` tells of it, `sunder run SCENE` takes it with --restart or --mesh",
                    path));
  const bool mesh = io::is_mesh_file(path);
  if (!mesh && !io::is_surface_file(path)) return;
  throw Error(fmt::format("{}: expected a scene (YAML), got a {}; a scene names it: bodies: [{{mesh: {{{}}}, ...}}]",
                          path, mesh ? "mesh" : "surface",
                          mesh ? "file: " + path : fmt::format("geometry: {}, size: ...", path)));
}

}  // namespace

config::Scene read_scene(const Comm& comm, const std::string& argument, std::span<const std::string> overrides)
{
  std::string path, text, answers;
  config::Scene scene;
  on_rank_0(comm, [&] {
    path = config::find_scene(argument);
    refuse_what_scenes_name(path);
    refuse_foreign(path);
    text = config::read_scene_text(path);
    config::SceneFiles files(std::filesystem::path(path).parent_path().string());
    scene = config::parse_scene(text, path, overrides, files);
    answers = files.answers();
  });
  for (std::string* known : {&path, &text, &answers}) comm.broadcast(*known);
  on_every_rank(comm, [&] {
    if (comm.rank() == 0) return;
    config::SceneFiles files = config::SceneFiles::from_answers(answers);
    scene = config::parse_scene(text, path, overrides, files);
  });
  return simulation::with_obstacle_surfaces(comm, std::move(scene));
}

std::string absolute(const Comm& comm, const std::string& path)
{
  std::string found;
  on_rank_0(comm, [&] { found = std::filesystem::absolute(path).lexically_normal().string(); });
  comm.broadcast(found);
  return found;
}

}  // namespace sunder::commands
