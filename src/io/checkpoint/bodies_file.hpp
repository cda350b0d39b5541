#pragma once
/// Bodies in a file: a row a node and an element, everything else as text, and a fingerprint of all bytes. A checkpoint
/// is one, a mesh decomposed beforehand another. docs/checkpoints.md has the format.

#include "io/checkpoint/file_label.hpp"
#include "partition/distribute/rows.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace sunder::io {

struct StoredBodies {
  std::string state;           ///< What is not a column, the same on every rank.
  partition::RowSlice bodies;  ///< This rank's rows.
  /// That writes it (io/run_files/run_identity.hpp), on rank 0; empty: none. label_of() reads it.
  std::string run = {};
};

/// Collective. Writes beside path, brings it to the disk and renames it: path is whole or not there. Rows stand in the
/// order of ranks. Throws Error on every rank if path stands for no regular file (io/files/atomic_file.hpp), and
/// (simulation_failed) if the file system refuses, and leaves nothing.
void write_bodies(const Comm& comm, const std::filesystem::path& path, FileKind kind, const StoredBodies& mine);

/// Collective. What is wrong with the file, if anything: each byte counts.
std::optional<std::string> damage(const Comm& comm, const std::filesystem::path& path, FileKind kind);

/// Collective. Any number of ranks; each gets an even slice of the rows. Throws Error on every rank.
StoredBodies read_bodies(const Comm& comm, const std::filesystem::path& path);

/// What a file holds, without its columns.
struct Outline {
  std::string state;
  std::int64_t nodes = 0, elements = 0;
};
/// Collective. Throws Error on every rank.
Outline outline(const Comm& comm, const std::filesystem::path& path);

}  // namespace sunder::io
