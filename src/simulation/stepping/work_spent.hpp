#pragma once

namespace sunder::simulation {

/// What a rank has spent on work of its own [s of its processor].
struct WorkSpent {
  double on_elements = 0;  ///< Forces, screening, obstacles, motion: each element costs about the same.
  double on_failing = 0;   ///< Nodes that may fail: each costs about the same.
};

}  // namespace sunder::simulation
