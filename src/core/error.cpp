#include "core/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace sunder {

void assertion_failed(const char* expression, const char* file, int line)
{
  std::fprintf(stderr, "sunder: bug at %s:%d: expected %s\n", file, line, expression);
  std::abort();
}

}  // namespace sunder
