#pragma once
/// Finds scenes, the files they name, and the files that come with sunder. The parser reaches the file system through
/// this file only. Local: each rank that calls has to have the files.

#include <filesystem>
#include <string>

namespace sunder::config {

/// The folder with materials.yaml, scenes/ and geometry/: $SUNDER_DATA, or share/sunder beside the bin/ that the
/// program is installed in, or config/ of the sources it was built from.
std::string data_directory();

/// The path of a scene, from a path or from the name of a shipped scene. Throws Error, with the shipped names, if there
/// is none.
std::string find_scene(const std::string& path_or_name);

/// Throws Error if the file cannot be read or has more bytes than value.hpp allows.
std::string read_whole_file(const std::string& path);

/// Is there such a file? A folder or a device is none.
bool is_file(const std::filesystem::path& path);

}  // namespace sunder::config
