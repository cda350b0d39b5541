#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace sunder::simulation {

/// What sets the step, over all ranks. The same on every rank.
struct StepLimit {
  double seconds = std::numeric_limits<double>::infinity();
  std::string kind;           ///< elastic, viscous or contact
  std::uint64_t element = 0;  ///< Low word of its id.
};

}  // namespace sunder::simulation
