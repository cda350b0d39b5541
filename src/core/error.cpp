#include "core/error.hpp"

#include "core/mpi_session.hpp"

#include <string>

namespace sunder {

void note(std::optional<Failure>& first, Failure problem)
{
  if (!first || problem.key < first->key) first = std::move(problem);
}

void assertion_failed(const char* expression, const char* file, int line)
{
  end_job(std::string("bug at ") + file + ":" + std::to_string(line) + ": expected " + expression,
          ExitStatus::simulation_failed);
}

}  // namespace sunder
