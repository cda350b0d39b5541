#pragma once
/// Values of a scene that are paths and names of files. Local; throws Error, with the place, for any other value.

#include "config/scene_files.hpp"
#include "config/value.hpp"

#include <string>

namespace sunder::config {

/// Absolute path of the file that a key names.
std::string existing_file(const Value& value, const std::string& path, SceneFiles& files, Lookup lookup);

/// Text that can be a path: not empty, no control characters.
std::string read_path(const Value& value, const std::string& path);
/// Text that can be the name of a file in a folder.
std::string read_file_name(const Value& value, const std::string& path);

}  // namespace sunder::config
