#pragma once
/// Tells people how far a run is: a bar on a terminal, a line every so often in a log. Local; rank 0 has one.

#include <cstdint>
#include <string>

namespace sunder::simulation {

class Progress {
public:
  Progress(double end, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double time, std::int64_t step, double dt, std::int64_t elements, std::int64_t events);

private:
  double end_;
  bool quiet_, terminal_;
  double begin_ = 0, next_ = 0;
  bool bar_shown_ = false;
};

}  // namespace sunder::simulation
