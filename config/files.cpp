#include "config/files.hpp"

#include "config/suggest.hpp"
#include "config/value.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace sunder::config {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> shipped_scenes()
{
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(data_directory()) / "scenes", ignored))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The share/sunder of the prefix that this program is installed in; empty if it is not installed.
std::string installed_data()
{
  std::error_code problem;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  const fs::path data = program.parent_path().parent_path() / "share/sunder";
  return !problem && fs::is_regular_file(data / "materials.yaml", problem) ? data.string() : "";
}

}  // namespace

bool is_file(const fs::path& path)
{
  if (fault_point(FaultKind::file, "scene: look for a file")) return false;
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::string data_directory()
{
  const char* const chosen = std::getenv("SUNDER_DATA");
  if (chosen && *chosen) return chosen;
  static const std::string installed = installed_data();
  return installed.empty() ? SUNDER_CONFIG_DIR : installed;
}

std::string find_scene(const std::string& path_or_name)
{
  if (is_file(path_or_name)) return path_or_name;
  const bool is_bare = !path_or_name.empty() && fs::path(path_or_name).filename() == path_or_name;
  const fs::path shipped = fs::path(data_directory()) / "scenes" / (path_or_name + ".yaml");
  if (is_bare && is_file(shipped)) return shipped.string();
  std::error_code ignored;
  if (fs::is_directory(path_or_name, ignored)) {
    const fs::path within = fs::path(path_or_name) / "scene.yaml";
    throw Error(fmt::format("{}: expected a scene file, got a folder{}", path_or_name,
                            is_file(within.string()) ? "; the scene in it is " + within.string() : ""));
  }
  throw Error(fmt::format("{}: expected a scene file or {}", path_or_name.empty() ? "''" : path_or_name,
                          expected_one_of(path_or_name, shipped_scenes()).substr(sizeof("expected ") - 1)));
}

std::string read_whole_file(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  if (!is_file(path) || !file || fault_point(FaultKind::file, "scene: read"))
    throw Error(fmt::format("{}: expected a file that can be read, got none", path));
  std::string text(most_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw Error(fmt::format("{}: cannot be read to its end", path));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most_bytes)
    throw Error(fmt::format("{}: expected at most {} MiB, got more", path, most_bytes >> 20));
  return text;
}

}  // namespace sunder::config
