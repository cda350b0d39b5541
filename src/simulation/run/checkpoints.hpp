#pragma once
/// The checkpoints of a run: when, where, how many. docs/checkpoints.md.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "simulation/run/run_folder.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/stepper.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace sunder::simulation {

class Checkpoints {
public:
  /// Collective. In checkpoints/ of the folder, which has begun and must outlive it; those there are this run's.
  Checkpoints(const Comm& comm, const config::CheckpointOptions& options, const RunFolder& folder,
              std::string completed_scene);

  /// Local. Time is counted from here.
  void begin(const State& state);

  /// Local, before each step. Rank 0 asks when its clock says so: so that a run that dies loses no more than half of
  /// what it has done, and no more than an interval.
  void check_clock(Stepper& stepper);

  /// Collective, at a sync point. Writes one if it is time to, or if any rank asked. A file system that refuses is a
  /// warning: the run goes on, and the checkpoints before are as they were. A folder that is gone is an Error
  /// (simulation_failed), on every rank. Returns whether one was written.
  bool write_if_due(State& state, const Stepper& stepper);
  /// The same, whether it is time or not.
  bool write_now(State& state, const Stepper& stepper);

  /// Local. After a failure: where the last good state is.
  void tell_of_last() const;

private:
  bool due(const State& state, const Stepper& stepper) const;
  void write(const State& state, const Stepper& stepper);
  void remove_old();

  Comm comm_;
  config::CheckpointOptions options_;
  const RunFolder& folder_;
  std::string scene_;
  std::vector<std::filesystem::path> written_;  // this run's, the earliest first; on rank 0
  double last_time_ = 0, last_clock_ = 0, begun_clock_ = MPI_Wtime();
  std::int64_t last_step_ = 0;
};

}  // namespace sunder::simulation
