#include "core/error.hpp"

namespace sunder {

void note(std::optional<Failure>& first, Failure problem)
{
  if (!first || problem.key < first->key) first = std::move(problem);
}

}  // namespace sunder
