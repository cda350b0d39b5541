#pragma once
/// Names for places where an operation may fail on one rank alone, so that a test can make it fail there.
/// docs/errors.md.

#include "core/failed_allocation.hpp"

#include <new>

namespace sunder {

enum class FaultKind { file, allocation, check, fingerprint };

/// Local. Returns true if the operation that follows must fail as it might in reality; a file operation then fails with
/// errno ENOSPC. In sunder itself it always returns false and costs a call, so it must not stand in the inner loops of
/// a step. The program of the tests links another version (tests/faults). That one counts places, and returns true at
/// the place it was told.
bool fault_point(FaultKind kind, const char* place) noexcept;

/// Local. To be called before arrays are made whose size grows with the mesh. Should memory be gone there, the message
/// names the place.
inline void allocation_point(const char* place)
{
  allocating_for(place);
  if (fault_point(FaultKind::allocation, place)) throw std::bad_alloc();
}

}  // namespace sunder
