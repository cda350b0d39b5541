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

/// The same, but a phase within another pauses it: a second counts once.
class PhaseStopwatch {
public:
  explicit PhaseStopwatch(double& seconds) : seconds_(seconds), outer_(running_), begin_(MPI_Wtime())
  {
    if (outer_) outer_->seconds_ += begin_ - outer_->begin_;
    running_ = this;
  }
  PhaseStopwatch(const PhaseStopwatch&) = delete;
  PhaseStopwatch& operator=(const PhaseStopwatch&) = delete;
  ~PhaseStopwatch()
  {
    const double now = MPI_Wtime();
    seconds_ += now - begin_;
    if (outer_) outer_->begin_ = now;
    running_ = outer_;
  }

private:
  static inline thread_local PhaseStopwatch* running_ = nullptr;

  double& seconds_;
  PhaseStopwatch* outer_;
  double begin_;
};

/// The same as Stopwatch for processor time of this thread. Waiting for other ranks in the kernel or for a free core does not count.
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
