#pragma once
/// Pieces of neighbouring ranks made one, so that a frame goes to few files whatever the number of ranks.

#include "io/frames/piece.hpp"

namespace sunder::io {

/// Ranks distributed to files in contiguous groups, as evenly as can be. The first rank of a group writes its file.
struct FileGroups {
  std::int64_t ranks = 1, files = 1;
  bool nothing = false;  ///< No rank has anything to write.

  Rank begin(std::int64_t file) const noexcept { return static_cast<Rank>(ranks * file / files); }  ///< Local.
  std::int64_t file_of(Rank r) const noexcept { return ((r + 1) * files - 1) / ranks; }             ///< Local.
};

/// Collective on comm. As many files as asked for, or more where one of them would exceed 4 GB before compression, but
/// never more than ranks. Not asked for (0): one, or more where it would exceed 0.5 GB: filters that join elements by
/// common points, such as Connectivity, see a body whole in one file only.
/// @param bytes  of this rank's piece: file_bytes()
FileGroups file_groups(const Comm& comm, std::int64_t bytes, std::int64_t asked);

/// Collective on comm. On the first rank of each group the pieces of its ranks as one. Nothing on the others. They send
/// one after the other: a writer holds what it writes and one piece more, everybody else no more than its own.
Piece gather(const Comm& comm, Piece mine, const FileGroups& groups);

}  // namespace sunder::io
