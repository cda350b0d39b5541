#include "config/parser.hpp"

#include "config/overrides.hpp"
#include "config/schema.hpp"
#include "config/value.hpp"

namespace sunder::config {

std::string read_scene_text(const std::string& path)
{
  return read_whole_file(path);
}

Scene parse_scene(const std::string& text, const std::string& path, std::span<const std::string> overrides)
{
  SceneFiles files(std::filesystem::path(path).parent_path().string());
  return parse_scene(text, path, overrides, files);
}

Scene parse_scene(const std::string& text, const std::string& path, std::span<const std::string> overrides,
                  SceneFiles& files)
{
  Value root = parse_yaml(text, path);
  for (const std::string& override_text : overrides) apply_override(root, override_text, scene_docs());
  return read_scene(root, path, files);
}

Scene load_scene(const std::string& path_or_name, std::span<const std::string> overrides)
{
  const std::string path = find_scene(path_or_name);
  return parse_scene(read_scene_text(path), path, overrides);
}

}  // namespace sunder::config
