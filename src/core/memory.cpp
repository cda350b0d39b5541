#include "core/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace sunder {

std::int64_t resident_bytes()
{
  std::int64_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

std::int64_t peak_resident_bytes()
{
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

std::int64_t node_memory_bytes()
{
  std::int64_t bytes = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (std::int64_t limit = 0; std::ifstream(file) >> limit && limit > 0) bytes = std::min(bytes, limit);
  return bytes;
}

void return_freed()
{
#ifdef M_MMAP_THRESHOLD  // glibc
  malloc_trim(0);
#endif
}

ReleaseAsFreed::ReleaseAsFreed()
{
#ifdef M_MMAP_THRESHOLD  // glibc
  mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
}

ReleaseAsFreed::~ReleaseAsFreed()
{
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 1 << 25);  // where it ends up by itself
  mallopt(M_TRIM_THRESHOLD, 1 << 26);
#endif
}

}  // namespace sunder
