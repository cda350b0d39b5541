#pragma once
/// One checkpoint: the state of the bodies as columns, everything else as text, and a fingerprint of all bytes.
/// docs/checkpoints.md has the format.

#include "partition/rows.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace sunder::io {

struct Checkpoint {
  std::string state;           ///< What is not a column, the same on every rank.
  partition::RowShare bodies;  ///< This rank's rows.
};

/// Collective. Writes beside path, brings it to the disk and renames it: path is whole or not there. Rows stand in the
/// order of ranks. Throws Error (simulation_failed) on every rank if the file system refuses, and leaves nothing.
void write_checkpoint(const Comm& comm, const std::filesystem::path& path, const Checkpoint& mine);

/// Collective. What is wrong with the file, if anything: each byte counts.
std::optional<std::string> damage(const Comm& comm, const std::filesystem::path& path);

/// Collective. Any number of ranks; each gets an even share of rows. Throws Error on every rank.
Checkpoint read_checkpoint(const Comm& comm, const std::filesystem::path& path);

/// What a checkpoint holds, without its columns.
struct CheckpointOutline {
  std::string state;
  std::int64_t nodes = 0, elements = 0;
};
/// Collective. Throws Error on every rank.
CheckpointOutline outline(const Comm& comm, const std::filesystem::path& path);

}  // namespace sunder::io
