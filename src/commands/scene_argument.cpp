#include "commands/scene_argument.hpp"

#include "config/files.hpp"
#include "config/parser.hpp"
#include "core/error.hpp"

namespace sunder::commands {

config::Scene read_scene(const Comm& comm, const std::string& argument, std::span<const std::string> overrides)
{
  std::optional<std::string> problem;
  std::string path, text;
  if (comm.rank() == 0) {
    try {
      path = config::find_scene(argument);
      text = config::read_scene_text(path);
    } catch (const Error& error) {
      problem = error.what();
    }
  }
  throw_on_all(comm, problem);
  comm.broadcast(path);
  comm.broadcast(text);
  return config::parse_scene(text, path, overrides);
}

}  // namespace sunder::commands
