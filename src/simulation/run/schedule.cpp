#include "simulation/run/schedule.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sunder::simulation {

Schedule Schedule::after_impact(double impact, double interval, double end)
{
  Schedule schedule = each_step(end);
  schedule.impact_ = impact, schedule.sparse_ = interval;
  return schedule;
}

bool Schedule::due(double time, double dt) const
{
  // Within round-off: two schedules may write the same instant differently, and no step is to be that short.
  if (interval_ > 0) return time >= next() - 1e-9 * interval_;
  // By the last step alone, which checkpoints have: a run that goes on writes what it would have written.
  return time <= impact_ || std::floor(time / sparse_) > std::floor((time - dt) / sparse_);
}

double Schedule::next() const
{
  return interval_ == 0 ? end_ : std::min(static_cast<double>(count_) * interval_, end_);
}

void Schedule::go_on_from(double time)
{
  if (interval_ == 0) return;
  // Close below, then exactly: what counts is the product that next() makes.
  count_ = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(std::min(time, end_) / interval_)) - 1);
  while (next() < end_ && next() < time - 1e-9 * interval_) ++count_;
}

void check_intervals(const config::Scene& scene, double end, double step)
{
  constexpr double shortest = 0.01;   // of a step: each output time ends one
  constexpr double round_off = 1e-8;  // and steps may be longer by a billionth, so as to end on an instant
  const auto check = [&](const std::string& key, double interval, const char* zero) {
    if (interval > 0 && interval < (1 - round_off) * shortest * step)
      throw AgreedError(
          fmt::format("{}: expected at least {:.3g} s, a hundredth of the step, which is {:.3g} s{}, got {:.3g} s",
                      config::message_key(scene, key), shortest * step, step, zero, interval));
  };
  check(end < scene.time.end ? "--until" : "time.end", end, "");
  check("output.history_interval", scene.output.history_interval, ", or auto");
  if (scene.output.frames) check("output.frame_interval", scene.output.frame_interval, ", or auto");
  check("checkpoint.interval", scene.checkpoint.interval, ", or 0");
}

}  // namespace sunder::simulation
