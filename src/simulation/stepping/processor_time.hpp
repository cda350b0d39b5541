#pragma once
/// What a rank's step costs, for the weights of a repartition. Plain data.

namespace sunder::simulation {

/// Processor time that a rank has spent, waiting excluded [s].
struct ProcessorTime {
  double on_elements = 0;  ///< Forces, screening, obstacles, motion: each element costs about the same.
  double on_failing = 0;   ///< Nodes that may fail: each costs about the same.
};

}  // namespace sunder::simulation
