#pragma once
/// Tells people how far a run is: a bar on a terminal, a line every so often in a log. Local; rank 0 has one.

#include <cstdint>
#include <string>

namespace sunder::simulation {

/// Where a run is: its time [s] and its step.
struct Reached {
  double time = 0;
  std::int64_t step = 0;
};

/// Of the way to its end, which is a time or a step, whichever comes first: between 0 and 1.
double share_of(const Reached& end, const Reached& now);

/// If the run goes on as it has: so long [s] after it began, or was gone on with, at the first of these shares.
double seconds_left(double elapsed, double share_at_begin, double share_now);

class Progress {
public:
  Progress(const Reached& begin, const Reached& end, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double time, std::int64_t step, double dt, std::int64_t elements, std::int64_t events);

private:
  Reached end_;
  bool quiet_, terminal_;
  double share_at_begin_, begin_ = 0, next_ = 0;
  bool bar_shown_ = false;
};

}  // namespace sunder::simulation
