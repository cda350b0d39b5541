#pragma once
/// Wall time by phase. Local.

#include <mpi.h>

namespace sunder::simulation {

/// Adds the time until it is destroyed to `seconds`.
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

}  // namespace sunder::simulation
