#pragma once
/// Files that are whole or not there at all.

#include <filesystem>
#include <string_view>

namespace sunder::io {

/// Local. The file that writing to path replaces: path, or what it points to if it is a symbolic link, there or not.
/// Throws Error if that is no regular file: a folder, a device, a pipe or a socket.
std::filesystem::path file_to_replace(const std::filesystem::path& path);

/// Local. The same, for a file the user has named, before the work for it begins: its folder has to be there, too, and
/// open to writing.
void check_can_replace(const std::filesystem::path& path);

/// Local. A name beside path that no other process has or had: to write under, and to rename to path.
std::filesystem::path aside_of_this_process(const std::filesystem::path& path);

/// Local. Writes text beside path, brings it to the disk and renames it to path: a reader finds the old text or the
/// new one, never half of it, also after a crash. Throws Error as file_to_replace() does, and (simulation_failed) if
/// the file system refuses.
void write_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace sunder::io
