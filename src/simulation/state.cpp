#include "simulation/state.hpp"

#include "core/log.hpp"

namespace sunder::simulation {

void warn(State& state, const std::string& message)
{
  state.warnings.push_back(message);
  log_warning(message);
}

}  // namespace sunder::simulation
