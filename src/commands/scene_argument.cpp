#include "commands/scene_argument.hpp"

#include "config/files.hpp"
#include "config/parser.hpp"
#include "simulation/setup/obstacle_surfaces.hpp"

#include <filesystem>

namespace sunder::commands {

config::Scene read_scene(const Comm& comm, const std::string& argument, std::span<const std::string> overrides)
{
  std::string path, text, answers;
  config::Scene scene;
  on_rank_0(comm, [&] {
    path = config::find_scene(argument);
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
