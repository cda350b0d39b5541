#pragma once
/// A file as bytes.

#include <string>

namespace sunder::io {

/// Local. kind: what is expected there ("a mesh file"). Throws Error if the file cannot be opened or read to its end.
std::string read_whole(const std::string& path, const char* kind);

}  // namespace sunder::io
