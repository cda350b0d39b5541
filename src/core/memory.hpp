#pragma once
/// How much memory this process holds, and how long. Local.

#include <cstdint>
#include <vector>

namespace sunder {

std::int64_t resident_bytes();       ///< Now.
std::int64_t peak_resident_bytes();  ///< At most, since the process began.

/// Frees what the vector has; v = {} keeps its room.
template <class T>
void release(std::vector<T>& v)
{
  std::vector<T>().swap(v);
}

/// Gives the system back what has been freed and is still kept for the next who asks.
void return_freed();

/// While one lives, large blocks go back to the system as they are freed. Left alone, the allocator learns to keep
/// those of up to 32 MB for the next who asks: right in a run, but the peak of a set-up then is all that it has let go
/// of.
class ReleaseAsFreed {
public:
  ReleaseAsFreed();
  ReleaseAsFreed(const ReleaseAsFreed&) = delete;
  ReleaseAsFreed& operator=(const ReleaseAsFreed&) = delete;
  ~ReleaseAsFreed();
};

}  // namespace sunder
