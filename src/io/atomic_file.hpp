#pragma once
/// Files that are whole or not there at all.

#include <filesystem>
#include <string_view>

namespace sunder::io {

/// Local. Writes text beside path, brings it to the disk and renames it to path: a reader finds the old text or the
/// new one, never a part, also after a crash. Throws Error (simulation_failed) if the file system refuses.
void write_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace sunder::io
