#pragma once
/// The first bytes of a file of bodies, as text: what it is, and of which run; with what seals the rest.
/// docs/checkpoints.md. Local, all of it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sunder::io {

/// Length of the label [bytes]. HDF5 begins behind it.
inline constexpr std::size_t user_block = 512;

/// What the bodies are stored for; the first line of the file says it.
enum class FileKind { checkpoint, mesh };
const char* name_of(FileKind kind);

/// What the first lines of a file say, whole or damaged.
struct Label {
  FileKind kind = FileKind::checkpoint;
  int format = 0;   ///< Another than this program's: it can do nothing with the rest.
  std::string run;  ///< Empty: of no run, or of an earlier version, which gave runs no identity.
};
/// Nothing if it is no such file, or there is none. Throws Error if it cannot be read: it may be one.
std::optional<Label> label_of(const std::filesystem::path& path);
/// Is the label's format this program's?
bool readable(const Label& label);
/// The message for a file of a format that is not this program's.
std::string of_another_format(const std::filesystem::path& path, const Label& label);

/// The first bytes of a file of so many bytes, of which those that follow add up to `sum`. The name of the run is
/// sealed with them.
std::string seal(FileKind kind, std::uint64_t bytes, std::uint64_t sum, const std::string& run);
/// Those that a file has; fewer if it is shorter, none if there is none. Throws Error if it cannot be read.
std::string user_block_of(const std::filesystem::path& path);

}  // namespace sunder::io
