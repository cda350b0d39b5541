#pragma once
/// A file as bytes.

#include <filesystem>
#include <optional>
#include <string>

namespace sunder::io {

/// Local. kind: what is expected there ("a mesh file"). Throws Error if the file cannot be opened or read to its end.
std::string read_whole(const std::string& path, const char* kind);

/// Local. Nothing if there is no such file. Throws Error if that cannot be found out, or the file cannot be read: what
/// it holds would be taken for nothing, and be lost.
std::optional<std::string> read_if_there(const std::filesystem::path& path, const char* kind);

}  // namespace sunder::io
