#include "commands/scene_argument.hpp"

#include "config/files.hpp"
#include "config/parser.hpp"

namespace sunder::commands {

config::Scene read_scene(const Comm& comm, const std::string& argument, std::span<const std::string> overrides)
{
  std::string path, text;
  on_rank_0(comm, [&] {
    path = config::find_scene(argument);
    text = config::read_scene_text(path);
  });
  comm.broadcast(path);
  comm.broadcast(text);
  config::Scene scene;
  on_every_rank(comm, [&] { scene = config::parse_scene(text, path, overrides); });
  return scene;
}

}  // namespace sunder::commands
