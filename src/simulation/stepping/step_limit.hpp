#pragma once
/// How long a step may be, and which element says so. Plain data.

#include <cstdint>
#include <limits>
#include <string>

namespace sunder::simulation {

/// What sets the step, over all ranks. The same on every rank.
struct StepLimit {
  double seconds = std::numeric_limits<double>::infinity();
  std::string
      kind;  ///< elastic, viscous, contact or cohesive; of a solver without a stable limit: load step or accuracy
  static constexpr std::uint64_t no_element = ~std::uint64_t{0};
  std::uint64_t element = no_element;  ///< That sets it, the low word of its id.

  /// Local. "elastic limit of element 12", "load step"
  std::string text() const
  {
    return element == no_element ? kind : kind + " limit of element " + std::to_string(element);
  }
};

/// Steps that were shorter than the limit at rest asks for, since the run was started or restarted.
struct ShortenedSteps {
  std::int64_t count = 0;
  double most = 1;         ///< The step that the limit at rest asks for, over the shortest.
  double deformation = 0;  ///< What deformed elements, and what moves fast, have asked at most to divide the time
  double motion = 0;       ///< between two overlap updates by.

  /// Local. Were they for deformed elements above all?
  bool for_deformation() const noexcept { return deformation >= motion; }
};

}  // namespace sunder::simulation
