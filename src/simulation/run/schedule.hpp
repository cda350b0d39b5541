#pragma once
/// When rows of the history and frames are written. Local, all of it.

#include "config/scene.hpp"

#include <cstdint>

namespace sunder::simulation {

/// Exact times at a fixed interval; the k-th is k times the interval, not a sum that drifts [s].
class Schedule {
public:
  Schedule(double interval, double end) : interval_(interval), end_(end) {}
  /// Each step is due, whenever it ends.
  static Schedule each_step(double end) { return {0, end}; }
  double next() const;
  /// Within round-off: two schedules may write the same instant differently, and no step is to be that short.
  bool due(double time) const { return interval_ == 0 || time >= next() - 1e-9 * interval_; }
  void done() { ++count_; }
  /// As it was before what is due at this time was done.
  void go_on_from(double time);

private:
  double interval_, end_;  // interval 0: each step
  std::int64_t count_ = 0;
};

/// Throws Error that names the interval and the step, if an interval of the scene or its end is so short that the run
/// would be nothing but outputs. end: where it stops, `until` included; step: the one it would take now [s].
void check_intervals(const config::Scene& scene, double end, double step);

}  // namespace sunder::simulation
