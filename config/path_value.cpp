#include "config/path_value.hpp"

#include "config/field.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::config {
namespace {

bool has_control_character(const std::string& text)
{
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

}  // namespace

std::string existing_file(const Value& value, const std::string& path, SceneFiles& files, Lookup lookup)
{
  const auto named = value.place.on_command_line() ? NamedIn::command_line : NamedIn::scene;
  const SceneFiles::Found found = files.find(read_path(value, path), lookup, named);
  if (!found.file.empty()) return found.file;
  refuse(value.place, path, "an existing file", fmt::format("{} (looked for {})", description(value), found.looked));
}

std::string read_path(const Value& value, const std::string& path)
{
  if (!value.is_scalar() || value.text.empty() || has_control_character(value.text)) refuse(value, path, "a path");
  return value.text;
}

std::string read_file_name(const Value& value, const std::string& path)
{
  const auto wrong = [](const std::string& s) { return s.find('/') != std::string::npos || s == "." || s == ".."; };
  if (!value.is_scalar() || value.text.empty() || has_control_character(value.text) || wrong(value.text))
    refuse(value, path, "a name for files (no slash)");
  return value.text;
}

}  // namespace sunder::config
