#pragma once
/// The folder a run writes into: what in it is a run's. docs/output.md has the names.

#include "core/comm.hpp"
#include "io/run_files/run_identity.hpp"
#include "io/run_files/time_series.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sunder::io {

/// Collective on comm. Rank 0 makes folder and folder/frames; files already there are kept. On trouble every rank
/// throws the same Error (simulation_failed).
void prepare_output_folder(const Comm& comm, const std::filesystem::path& folder);

// All that follows is local; one rank calls it.

/// A folder that is there, with those above it. Those that it had to make and that are empty at its end go again.
class MadeFolder {
public:
  explicit MadeFolder(const std::filesystem::path& folder);  ///< Throws Error.
  MadeFolder(const MadeFolder&) = delete;
  MadeFolder& operator=(const MadeFolder&) = delete;
  ~MadeFolder();

private:
  std::vector<std::filesystem::path> made_;  // the innermost first
};

struct CheckpointFile {
  std::filesystem::path path;
  std::int64_t step = 0;
};
/// Those in folder/checkpoints, whole or damaged, the latest first. Throws Error if it is there and cannot be listed:
/// a run would begin at zero.
std::vector<CheckpointFile> checkpoints_in(const std::filesystem::path& folder);
/// Those found damaged and renamed, the latest first.
std::vector<std::filesystem::path> damaged_checkpoints_in(const std::filesystem::path& folder);
/// What the checkpoint of a step is called.
std::filesystem::path checkpoint_path(const std::filesystem::path& folder, std::int64_t step);

/// What a folder holds before a run writes into it.
struct FolderContents {
  std::optional<RunIdentity> identity;            ///< None: no run has been here, or one of an earlier version.
  std::set<std::string> series;                   ///< Names of series of frames: NAME of NAME.pvd.
  std::vector<std::filesystem::path> files;       ///< A run's: all that --overwrite removes; checkpoints come first.
  std::vector<std::filesystem::path> in_the_way;  ///< The user's own, of names that a run writes.
  bool used() const noexcept { return !files.empty(); }
};

/// name: of the run that is to write. A folder that lacks run.json is a run's all the same if it has a history, a
/// checkpoint or a series of frames. Throws Error if run.json is none, or if what is there cannot be
/// listed or read.
FolderContents contents_of(const std::filesystem::path& folder, const std::string& name);

/// How many moments the frames among these files show; files of several series may belong to one.
std::size_t count_frames(const std::vector<std::filesystem::path>& files);

/// For a message: the run that is there, and what it has left.
std::string description(const FolderContents& contents);

/// Throws Error (simulation_failed) if the file system refuses.
void remove_files(const std::vector<std::filesystem::path>& files);

/// What killed writes have left: .part files of the names a run writes, and no others.
void remove_unfinished(const std::filesystem::path& folder, const FolderContents& contents);

/// The run that NAME.pvd names; nothing if there is no such file, or it names none. Throws Error if it cannot be read.
std::optional<std::string> run_of_series(const std::filesystem::path& folder, const std::string& name);

/// Throws Error if there are frames of NAME, or of a series beside it such as NAME_cracks, and no list of the series
/// that tells their times. The first frame alone does not count: its run may have been killed before it wrote the list.
void expect_lists(const std::filesystem::path& folder, const std::string& name);

/// Drops frames later than this from the series and their files from the disk, those too that it does not list.
/// Returns the entries that stay. Throws Error if NAME.pvd is none, or of another run; an empty `run` goes with any.
std::vector<SeriesEntry> keep_frames_until(const std::filesystem::path& folder, const std::string& name,
                                           const std::string& run, double time);

}  // namespace sunder::io
