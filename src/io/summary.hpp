#pragma once
/// summary.json: what a run did, for scripts.

#include "io/frame.hpp"

#include <filesystem>
#include <string>

namespace sunder::io {

/// Local. Keys in the order of the struct; state_hash as 16 hex digits, because JSON numbers lose bits above 2^53.
std::string to_json(const Summary& summary);

/// Local; one rank calls it. Whole or not there (io/atomic_file.hpp).
void write_summary(const std::filesystem::path& path, const Summary& summary);

}  // namespace sunder::io
