#pragma once
/// A scene from its first step to its last, with everything a run writes.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "simulation/diagnostics/summary.hpp"

#include <cstdint>
#include <limits>
#include <optional>

namespace sunder::simulation {

struct RunOptions {
  double until = std::numeric_limits<double>::infinity();         ///< [s] stop there if the scene's end is later
  std::int64_t steps = std::numeric_limits<std::int64_t>::max();  ///< stop after so many
  std::string completed_scene;                                    ///< Text of scene.yaml in the output folder.
  std::string version;                                            ///< Of the program, for summary.json.
  std::string restart;                                            ///< Checkpoint to go on from, or latest; empty: none.
  bool overwrite = false;                                         ///< What a run has left in the folder goes.
  bool quiet = false;                                             ///< No progress.
};

/// Collective. Runs the scene and writes its output folder: history, frames at exact times, summary, completed scene,
/// log, checkpoints. Throws Error on every rank; if the simulation failed, what was written so far stays and
/// summary.json is missing, and bad input leaves the folder as it was (RunFolder). summary.json is missing, too, if the
/// run was asked to stop (Interruption) and did, after a checkpoint: nothing is returned then.
std::optional<Summary> run(const Comm& comm, const config::Scene& scene, const RunOptions& options);

}  // namespace sunder::simulation
