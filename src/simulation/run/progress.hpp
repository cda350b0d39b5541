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

/// How fast a run gets on, of late: what came longer ago than a fifth of the run counts little, as cracks slow it
/// down.
class Pace {
public:
  explicit Pace(double share_at_begin) : share_(share_at_begin) {}
  void update(double elapsed, double share);  ///< elapsed: since the run began, or was gone on with [s]
  double seconds_left() const;                ///< If it goes on like this; infinite while nothing is known.

private:
  double elapsed_ = 0, share_ = 0, of_late_ = 0;  // [s], share of the way, shares a second
};

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
  Pace pace_;
  double begin_ = 0, next_ = 0;
  bool bar_shown_ = false;
};

}  // namespace sunder::simulation
