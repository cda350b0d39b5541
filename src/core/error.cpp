#include "core/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace sunder {

void note(std::optional<Failure>& first, Failure problem)
{
  if (!first || problem.key < first->key) first = std::move(problem);
}

void assertion_failed(const char* expression, const char* file, int line)
{
  std::fprintf(stderr, "sunder: bug at %s:%d: expected %s\n", file, line, expression);
  std::abort();
}

}  // namespace sunder
