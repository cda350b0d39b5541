#pragma once
/// What the command line asks of a run. Plain data, the same on every rank.

#include <cstdint>
#include <limits>
#include <string>

namespace sunder::simulation {

/// Besides the scene.
struct RunOptions {
  double until = std::numeric_limits<double>::infinity();         ///< [s] stop there if the scene's end is later
  std::int64_t steps = std::numeric_limits<std::int64_t>::max();  ///< stop after so many
  std::string completed_scene;                                    ///< Text of scene.yaml in the output folder.
  std::string version;                                            ///< Of the program, for summary.json.
  std::string restart;                                            ///< Checkpoint to go on from, or latest; empty: none.
  bool overwrite = false;                                         ///< What a run has left in the folder goes.
  bool quiet = false;                                             ///< No progress.
};

}  // namespace sunder::simulation
