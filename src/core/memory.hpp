#pragma once
/// Memory of this process: how much it has, and when it is returned to the system. Local.

#include <cstdint>
#include <vector>

namespace sunder {

std::int64_t resident_bytes();       ///< Resident memory now [bytes].
std::int64_t peak_resident_bytes();  ///< Greatest resident memory since the process began [bytes].

/// Memory that the processes of this node have together [bytes]: that of the machine, or of its control group.
std::int64_t node_memory_bytes();

/// Frees the memory of the vector. (v = {} would keep its capacity.)
template <class T>
void release(std::vector<T>& v)
{
  std::vector<T>().swap(v);
}

/// Returns to the system the memory that has been freed but that the allocator still keeps for reuse.
void return_freed();

/// While one lives, large blocks return to the system as soon as they are freed. Without it, the allocator learns to
/// keep freed blocks of up to 32 MB for reuse. That is right while a run steps. During set-up it is not: arrays that
/// were freed would still count in its peak of memory.
class ReleaseAsFreed {
public:
  ReleaseAsFreed();
  ReleaseAsFreed(const ReleaseAsFreed&) = delete;
  ReleaseAsFreed& operator=(const ReleaseAsFreed&) = delete;
  ~ReleaseAsFreed();
};

}  // namespace sunder
