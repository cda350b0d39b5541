#include "core/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

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

}  // namespace sunder
