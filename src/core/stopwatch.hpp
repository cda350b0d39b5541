#pragma once
/// Wall time by phase, and processor time by kind of task. Local.

#include <mpi.h>

#include <ctime>

namespace sunder {

/// Adds the wall time from its construction to its destruction to `seconds`.
class Stopwatch {
public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), begin_(MPI_Wtime()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { seconds_ += MPI_Wtime() - begin_; }

private:
  double& seconds_;
  double begin_;
};

/// The same for processor time of this thread. Waiting for other ranks in the kernel or for a free core does not count.
class ProcessorStopwatch {
public:
  explicit ProcessorStopwatch(double& seconds) : seconds_(seconds), begin_(now()) {}
  ProcessorStopwatch(const ProcessorStopwatch&) = delete;
  ProcessorStopwatch& operator=(const ProcessorStopwatch&) = delete;
  ~ProcessorStopwatch() { seconds_ += now() - begin_; }

private:
  static double now()
  {
    std::timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  double& seconds_;
  double begin_;
};

}  // namespace sunder
