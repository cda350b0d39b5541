#include "config/parser.hpp"

#include "config/field.hpp"
#include "config/overrides.hpp"
#include "config/schema.hpp"
#include "config/value.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace sunder::config {
namespace {

void note_places(const Value& value, const std::string& path, std::map<std::string, std::string>& places)
{
  if (!path.empty()) places[path] = value.place.text();
  for (std::size_t k = 0; k < value.items.size(); ++k) {
    const Value& item = value.items[k];
    note_places(item, value.is_list() ? item_path(path, value, k) : key_path(path, item.key), places);
  }
}

}  // namespace

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
  Scene scene = read_scene(root, path, files);
  note_places(root, "", scene.places);
  return scene;
}

std::string message_key(const Scene& scene, const std::string& path)
{
  const auto place = scene.places.find(path);
  return place == scene.places.end() ? path : fmt::format("{}: {}", place->second, path);
}

Scene load_scene(const std::string& path_or_name, std::span<const std::string> overrides)
{
  const std::string path = find_scene(path_or_name);
  return parse_scene(read_scene_text(path), path, overrides);
}

}  // namespace sunder::config
