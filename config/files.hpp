#pragma once
/// Where scenes, the files they name and the shipped ones are. The only file system that the parser knows.

#include "config/scene_files.hpp"
#include "config/value.hpp"

#include <filesystem>
#include <string>

namespace sunder::config {

/// Folder of materials.yaml, scenes/ and geometry/: $SUNDER_DATA, or config/ of the sources sunder was built from.
std::string data_directory();

/// The path of a scene, given a path or the name of a shipped one; throws with the shipped names if there is none.
std::string find_scene(const std::string& path_or_name);

/// Throws if the file cannot be read or has more bytes than value.hpp allows.
std::string read_whole_file(const std::string& path);

/// Whether there is such a file, and not a folder or a device.
bool is_file(const std::filesystem::path& path);

/// Absolute path of the file a key names.
std::string existing_file(const Value& value, const std::string& path, SceneFiles& files, Lookup lookup);

/// Text that can be a path: not empty, no control characters.
std::string read_path(const Value& value, const std::string& path);
/// Text that can be the name of a file in a folder.
std::string read_file_name(const Value& value, const std::string& path);

}  // namespace sunder::config
