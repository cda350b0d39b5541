#pragma once
/// The loop of a run: it owns the clock. It decides how long each step is, and what happens between two of them.

#include "config/scene.hpp"
#include "simulation/run/checkpoints.hpp"
#include "simulation/run/progress.hpp"
#include "simulation/run/recorder.hpp"
#include "simulation/run/repartition_policy.hpp"
#include "simulation/run/run_options.hpp"
#include "simulation/run/schedule.hpp"
#include "simulation/run/watchdog.hpp"

namespace sunder::simulation {

/// Collective, all of it. Everything that it is given must outlive it.
class Loop {
public:
  /// begin: by the clock, what the run's total time counts from [s].
  Loop(const config::Scene& scene, const RunOptions& options, const RunFolder& folder, State& state, Stepper& stepper,
       Recorder& recorder, double begin);

  /// Steps to the end. Returns false if the run was asked to stop, and has been, after a checkpoint. Throws Error on
  /// every rank.
  bool run();

private:
  bool at_end() const;
  void count_time();
  bool store_or_repartition();
  [[noreturn]] void end_without_checkpoint() const;
  void repartition_if_due();
  void record(bool last);
  void keep_last_good_state();
  void take_requests();
  double step();

  const config::Scene& scene_;
  const RunOptions& options_;
  State& state_;
  Stepper& stepper_;
  Recorder& recorder_;
  double end_;         // [s]
  double counted_to_;  // by the clock: what the total time has [s]
  Schedule rows_, frames_;
  Checkpoints checkpoints_;
  RepartitionPolicy policy_;
  Watchdog watchdog_;
  Progress progress_;
  std::int64_t recorded_step_ = -1;  // of the last row
  bool told_of_stop_ = false;
};

}  // namespace sunder::simulation
