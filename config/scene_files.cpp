#include "config/scene_files.hpp"

#include "config/files.hpp"
#include "config/library_text.hpp"
#include "config/value.hpp"

#include <filesystem>
#include <vector>

namespace sunder::config {
namespace {

namespace fs = std::filesystem;

constexpr char separator = '\0';  // no path has one, nor has YAML

std::string key_of(const std::string& name, Lookup lookup, NamedIn named)
{
  return std::string(lookup == Lookup::scene_only ? "s" : "g") + (named == NamedIn::scene ? "s" : "c") + name;
}

}  // namespace

SceneFiles::Found SceneFiles::find(const std::string& name, Lookup lookup, NamedIn named)
{
  const std::string key = key_of(name, lookup, named);
  if (!asks_) {
    const auto known = found_.find(key);
    return {known == found_.end() ? std::string() : known->second, "what rank 0 found"};
  }
  std::vector<fs::path> places;
  if (named == NamedIn::command_line) places.emplace_back(name);
  places.push_back(fs::path(folder_) / name);
  if (lookup == Lookup::scene_then_shipped) places.push_back(fs::path(data_directory()) / "geometry" / name);
  std::string looked;
  for (const fs::path& place : places) {
    if (&place != &places.front() && place == places.front()) continue;  // an absolute name
    if (is_file(place)) return {found_[key] = fs::absolute(place).lexically_normal().string(), {}};
    looked += (looked.empty() ? "" : " and ") + description(make_scalar(place.lexically_normal().string()));
  }
  return {{}, looked};
}

std::string SceneFiles::answers() const
{
  std::string text = material_library_text() + separator;
  for (const auto& [name, file] : found_) text += name + separator + file + separator;
  return text;
}

SceneFiles SceneFiles::from_answers(const std::string& answers)
{
  SceneFiles files{std::string()};
  files.asks_ = false;
  std::vector<std::string> items;
  for (std::size_t begin = 0, end; (end = answers.find(separator, begin)) != std::string::npos; begin = end + 1)
    items.push_back(answers.substr(begin, end - begin));
  if (!items.empty() && !items.front().empty()) set_material_library(items.front());
  for (std::size_t k = 1; k + 1 < items.size(); k += 2) files.found_[items[k]] = items[k + 1];
  return files;
}

}  // namespace sunder::config
