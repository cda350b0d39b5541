#pragma once
/// What this rank asks of MPI, counted through its profiling layer. A test program that links mpi_counts.cpp has it.

#include <cstdint>
#include <string>

namespace sunder::test {

struct MpiCounts {
  std::int64_t reductions = 0;         ///< Sums, maxima and the like, prefix sums included.
  std::int64_t others = 0;             ///< Other collectives: broadcasts, barriers.
  std::int64_t longer_with_ranks = 0;  ///< Collectives with an entry for each rank: gather, scatter, all to all.
  std::int64_t communicators = 0;      ///< Made.
  std::int64_t messages = 0;           ///< Sent from one rank to another.
  std::int64_t bytes = 0;              ///< Of these messages.

  std::int64_t collectives() const { return reductions + others + longer_with_ranks; }
  std::string text() const;
};

/// Local. Since the program began, of every library in it.
MpiCounts mpi_counts();
MpiCounts operator-(const MpiCounts& later, const MpiCounts& earlier);

}  // namespace sunder::test
