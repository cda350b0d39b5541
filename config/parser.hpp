#pragma once
/// From the text of a scene file and the --set options to a Scene. Local: every rank that parses the same bytes gets
/// the same scene.

#include "config/files.hpp"
#include "config/scene.hpp"

#include <span>
#include <string>

namespace sunder::config {

/// The text of a scene file; throws if it cannot be read or is too long to be one. For rank 0 to broadcast.
std::string read_scene_text(const std::string& path);

/// path: of the file the text is from, for messages and to find the files it names.
/// overrides: key.path=value, applied in order before anything is checked. An item of a list is named by its number or
/// its `name`; the value is YAML. Throws Error that says where (file:line:column, or the --set), expected and found.
Scene parse_scene(const std::string& text, const std::string& path, std::span<const std::string> overrides);

/// The same, going by what `files` knows or finds; the path is for messages alone.
Scene parse_scene(const std::string& text, const std::string& path, std::span<const std::string> overrides,
                  SceneFiles& files);

/// path_or_name: a scene file, or the name of a shipped scene.
Scene load_scene(const std::string& path_or_name, std::span<const std::string> overrides);

}  // namespace sunder::config
