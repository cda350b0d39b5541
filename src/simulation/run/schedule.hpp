#pragma once
/// When rows of the history and frames are written. Local, all of it.

#include "config/scene.hpp"

#include <cstdint>
#include <limits>

namespace sunder::simulation {

/// Exact times at a fixed interval; the k-th is k times the interval, not a sum that drifts [s].
class Schedule {
public:
  Schedule(double interval, double end) : interval_(interval), end_(end) {}
  /// Each step is due, whenever it ends.
  static Schedule each_step(double end) { return {0, end}; }
  /// The same until `impact`, and then the first step that ends in each interval: without making steps end there, which
  /// would be others.
  static Schedule after_impact(double impact, double interval, double end);
  double next() const;
  /// Is it at this time, to which the last step, dt, has led?
  bool due(double time, double dt) const;
  void done() { ++count_; }
  /// As it was before what is due at this time was done.
  void go_on_from(double time);

private:
  double interval_, end_;  // interval 0: where steps end
  double impact_ = std::numeric_limits<double>::infinity(), sparse_ = 0;
  std::int64_t count_ = 0;
};

/// Throws Error that names the interval and the step, if an interval of the scene or its end is so short that the run
/// would be nothing but outputs. end: where it stops, `until` included; step: the one it would take now [s].
void check_intervals(const config::Scene& scene, double end, double step);

}  // namespace sunder::simulation
