#pragma once
/// run.lock: one run at a time writes into a folder. docs/output.md says how it is let go.

#include <filesystem>
#include <optional>
#include <string>

namespace sunder::io {

/// While it lives, folder/run.lock names this process. Local; one rank has it.
///
/// The file appears whole, and only where there is none, on shared file systems too; where the file system has
/// locks of byte ranges, it is locked as well, and those end with the process. What a dead process left is taken over:
/// one of this machine, or of an earlier try of the same job of the batch system.
class FolderLock {
public:
  /// Throws Error if another run holds the folder, after a moment in which a killed one may still vanish, or if the
  /// folder cannot be written to.
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  /// Throws Error (simulation_failed) if the file is not there any more, or not this lock's: the folder was removed,
  /// moved, or taken by another run.
  void check() const;

private:
  bool place();
  bool take_over(int stale);
  int file_of_mine(const std::filesystem::path& path) const;
  bool is_mine() const;

  std::filesystem::path path_;
  int fd_ = -1;
};

/// Local. Who holds the folder, as a clause for people, and whether that process is alive; nothing if nobody does.
std::optional<std::string> lock_holder(const std::filesystem::path& folder);

}  // namespace sunder::io
