#pragma once
/// Finds scenes, the files they name, and the files that come with sunder. The parser reaches the file system through
/// this file only.

#include "config/scene_files.hpp"
#include "config/value.hpp"

#include <filesystem>
#include <string>

namespace sunder::config {

/// The folder with materials.yaml, scenes/ and geometry/: $SUNDER_DATA, or config/ of the sources sunder was built
/// from.
std::string data_directory();

/// The path of a scene, from a path or from the name of a shipped scene. Throws Error, with the shipped names, if there
/// is none.
std::string find_scene(const std::string& path_or_name);

/// Throws Error if the file cannot be read or has more bytes than value.hpp allows.
std::string read_whole_file(const std::string& path);

/// Is there such a file? A folder or a device is none.
bool is_file(const std::filesystem::path& path);

/// Absolute path of the file that a key names.
std::string existing_file(const Value& value, const std::string& path, SceneFiles& files, Lookup lookup);

/// Text that can be a path: not empty, no control characters.
std::string read_path(const Value& value, const std::string& path);
/// Text that can be the name of a file in a folder.
std::string read_file_name(const Value& value, const std::string& path);

}  // namespace sunder::config
