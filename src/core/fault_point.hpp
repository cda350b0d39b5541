#pragma once
/// Places where an operation may fail on one rank alone, named so that a test can make it fail there. docs/errors.md.

#include <new>

namespace sunder {

enum class FaultKind { file, allocation, check, fingerprint };

/// Local. True if the operation that follows is to fail as it does in life: a file operation with errno ENOSPC. Never
/// in sunder itself: there it does nothing, and costs a call. The program of the tests links another (tests/faults),
/// which counts places and lets the one fail that it is told to. Not for the inner loops of a step.
bool fault_point(FaultKind kind, const char* place) noexcept;

/// Local. Before arrays of a size that grows with the mesh are made.
inline void allocation_point(const char* place)
{
  if (fault_point(FaultKind::allocation, place)) throw std::bad_alloc();
}

}  // namespace sunder
