#pragma once
/// Files a scene names, and where the shipped ones are.

#include "config/value.hpp"

#include <string>

namespace sunder::config {

/// Folder of materials.yaml, scenes/ and geometry/: $SUNDER_DATA, or config/ of the sources sunder was built from.
std::string data_directory();

/// The path of a scene, given a path or the name of a shipped one; throws with the shipped names if there is none.
std::string find_scene(const std::string& path_or_name);

/// Throws if the file cannot be read or has more bytes than value.hpp allows.
std::string read_whole_file(const std::string& path);

enum class Lookup { scene_only, scene_then_shipped };
/// Absolute path of the file a key names, relative to the scene's folder, or in geometry/ of the data directory.
std::string existing_file(const Value& value, const std::string& path, const std::string& scene_folder, Lookup lookup);

/// Text that can be a path: not empty, no control characters.
std::string read_path(const Value& value, const std::string& path);
/// Text that can be the name of a file in a folder.
std::string read_file_name(const Value& value, const std::string& path);

}  // namespace sunder::config
