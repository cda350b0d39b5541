#pragma once
/// The checkpoints of a run: when, where, how many. docs/checkpoints.md.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "simulation/simulation.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sunder::simulation {

class Checkpoints {
public:
  /// Local. In folder/checkpoints.
  Checkpoints(const Comm& comm, const config::CheckpointOptions& options, const std::filesystem::path& folder,
              std::string completed_scene);

  /// Local. Time is counted from here.
  void begin(const Simulation& simulation);

  /// Local, before each step. Rank 0 asks when its clock says so.
  void look_at_clock(Simulation& simulation);

  /// Collective, at a rest point. Writes one if it is time to, or if any rank asked. A file system that refuses is a
  /// warning: the run goes on, and the checkpoints before are as they were.
  void write_if_due(Simulation& simulation);

  /// Local. After a failure: where the last good state is.
  void tell_of_last() const;

private:
  bool due(const Simulation& simulation) const;
  void write(Simulation& simulation);
  void remove_old() const;

  Comm comm_;
  config::CheckpointOptions options_;
  std::filesystem::path folder_;
  std::string scene_;
  double last_time_ = 0, last_clock_ = 0;
  std::int64_t last_step_ = 0;
};

/// Local. Those in folder/checkpoints, whole or damaged, the latest first.
std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& folder);

/// Collective. The checkpoint to go on from: `wanted` is a file, or `latest` for the last whole one in
/// folder/checkpoints. Damaged ones on the way are renamed, so that nobody meets them again, with a warning. Nothing if
/// it is to be the latest and there is none. Throws Error on every rank if the file named is not whole, or none of
/// those there is.
std::optional<std::filesystem::path> find_checkpoint(const Comm& comm, const std::filesystem::path& folder,
                                                     const std::string& wanted);

}  // namespace sunder::simulation
