#pragma once
/// A scene from its first step to its last, with everything a run writes.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "simulation/diagnostics/summary.hpp"
#include "simulation/run/run_options.hpp"

#include <optional>

namespace sunder::simulation {

/// Collective. Runs the scene and writes its output folder: history, frames at exact times, summary, completed scene,
/// log, checkpoints. Throws Error on every rank; if the simulation failed, what was written so far stays and
/// summary.json is missing, and bad input leaves the folder as it was (RunFolder; what only the first step can refuse,
/// such as an option of PETSc, leaves it without the run that --overwrite has removed). summary.json is missing, too,
/// if the run was asked to stop (Interruption) and did, after a checkpoint: nothing is returned then.
std::optional<Summary> run(const Comm& comm, const config::Scene& scene, const RunOptions& options);

}  // namespace sunder::simulation
