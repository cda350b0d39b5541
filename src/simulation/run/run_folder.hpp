#pragma once
/// The folder of a run: whose it is, what the run begins from there, and that nobody else writes into it meanwhile.
/// docs/output.md, docs/checkpoints.md.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "io/run_files/folder_lock.hpp"
#include "io/run_files/output_folder.hpp"
#include "io/run_files/run_identity.hpp"
#include "simulation/stepping/run_state.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sunder::simulation {

struct RunOptions;

class RunFolder {
public:
  /// Collective. Makes the folder (which goes again if nothing is written there), locks it and finds where the run
  /// begins: at its beginning, or at a checkpoint that is whole. Changes nothing there yet but the names of damaged
  /// checkpoints. Throws Error on every rank: the folder is another run's, another run writes into it, or there is no
  /// checkpoint that the run can go on from.
  RunFolder(const Comm& comm, const config::Scene& scene, const RunOptions& options);

  const std::optional<std::filesystem::path>& checkpoint() const noexcept { return checkpoint_; }  ///< Local.
  const std::filesystem::path& path() const noexcept { return path_; }                             ///< Local.
  const std::string& run() const noexcept { return run_; }  ///< Local. Its identity.

  /// Local, on rank 0. Does the run go on with what is in the folder?
  bool keeps() const noexcept { return keeps_; }

  /// Collective, once set-up has gone well: only now anything is lost. Removes what is later than the point the run
  /// goes on from, or all that is a run's; then writes run.json and scene.yaml and opens the log.
  void begin(const RunState* from);

  /// Local. The scene was refused before the first step: what the run has written there goes again, unless the run goes
  /// on with what was there.
  void withdraw() const;

  /// Collective. Throws Error (simulation_failed) on every rank if the folder is not there any more, or another's.
  void check() const;
  /// Local, on rank 0. The same.
  void check_on_rank_0() const { lock_->check(); }

private:
  void begin_anew(bool overwrite);
  void go_on_from_latest();
  void go_on_from(const std::filesystem::path& file, bool overwrite);
  void begin_again();
  void refuse_what_is_in_the_way() const;
  void refuse_used() const;
  void refuse_others() const;
  bool is_own(const std::filesystem::path& file, const std::string& run) const;
  void adopt(const std::string& run);
  void drop_later(const RunState& from) const;

  Comm comm_;
  std::filesystem::path path_;
  std::string name_, version_, completed_scene_;
  std::string run_;
  std::optional<std::filesystem::path> checkpoint_;
  // On rank 0:
  std::optional<io::MadeFolder> made_;
  std::optional<io::FolderLock> lock_;
  io::FolderContents contents_;
  io::RunIdentity identity_;
  bool keeps_ = false;  // what is in the folder: it goes on with it
};

}  // namespace sunder::simulation
