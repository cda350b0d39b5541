#pragma once
/// Makes a Scene from the text of a scene file and the --set options. Local: ranks that parse the same bytes get the
/// same scene.

#include "config/files.hpp"
#include "config/scene.hpp"
#include "config/scene_files.hpp"

#include <span>
#include <string>

namespace sunder::config {

/// The text of a scene file. Throws Error if it cannot be read or is too long. Only rank 0 calls it, and broadcasts the
/// text.
std::string read_scene_text(const std::string& path);

/// Throws Error that says where (file:line:column, or the --set), what was expected and what was found.
/// @param path       of the file with the text, for messages and to find the files it names
/// @param overrides  key.path=value, applied in order before anything is checked. An item of a list is named by its
/// number
///                   or its `name`; the value is YAML
Scene parse_scene(const std::string& text, const std::string& path, std::span<const std::string> overrides);

/// The same, but files are found through `files`; the path is for messages only.
Scene parse_scene(const std::string& text, const std::string& path, std::span<const std::string> overrides,
                  SceneFiles& files);

/// path_or_name: a scene file, or the name of a shipped scene.
Scene load_scene(const std::string& path_or_name, std::span<const std::string> overrides);

}  // namespace sunder::config
