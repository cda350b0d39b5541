#pragma once
/// run.json: whose a folder of output is. Checkpoints, the series of frames and summary.json name the same run.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sunder::io {

struct RunIdentity {
  std::string run;      ///< 128 random bits as 32 hex digits.
  std::string name;     ///< Of its files: NAME.pvd, frames/NAME_000123.pvtu.
  std::string begun;    ///< UTC, as 2026-01-31T12:00:00Z.
  std::string version;  ///< Of the program that began it.
  /// The run it branched off: it goes on from a checkpoint of that one, in a folder of its own.
  struct Parent {
    std::string run;  ///< Empty: of an earlier version, which gave runs no identity.
    std::int64_t step = 0;
  };
  std::optional<Parent> parent;
};

/// Local; one rank calls it. A run that nobody has begun before.
RunIdentity new_run(const std::string& name, const std::string& version);

/// Local. What folder/run.json says; nothing if there is none. Throws Error if it is not what write_identity() writes.
std::optional<RunIdentity> read_identity(const std::filesystem::path& folder);

/// Local. Throws Error (simulation_failed) if the file system refuses.
void write_identity(const std::filesystem::path& folder, const RunIdentity& identity);

/// Local. Now, in UTC, as `begun` has it.
std::string utc_now();

}  // namespace sunder::io
