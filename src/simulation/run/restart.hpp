#pragma once
/// What a checkpoint stores, and going on from it, on any number of ranks, to the same bits. docs/checkpoints.md.

#include "config/scene.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "partition/migration/migration_records.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/run_state.hpp"
#include "simulation/stepping/stepper.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace sunder::simulation {

/// What a run goes on from.
struct RestartState {
  RunState state;
  partition::MigrationRecords bodies;  ///< As this rank is to hold them.
};

/// Local. The sections of a scene that may differ from those of the run that is gone on with.
const std::vector<std::string>& free_to_change();

/// Collective. Ranks keep the parts they had if there are as many as wrote the file, else the nodes are decomposed
/// anew. Throws Error on every rank: the file cannot be read, does not agree with itself, or is of a scene that is not
/// this one (completed_scene; where, how long and how often may differ).
RestartState read_restart(const Comm& comm, const std::filesystem::path& file, const config::Scene& scene,
                          const std::string& completed_scene);

/// Collective. The state as it was stored. No mesh is made: the nodes and elements of `from` are taken out of it.
State restored_state(const Comm& comm, const config::Scene& scene, RestartState& from);

/// Collective, at a sync point. What a checkpoint stores: the inverse of the above. `run` is left empty.
io::StoredBodies stored_bodies(const State& state, const Stepper& stepper, const std::string& completed_scene);

}  // namespace sunder::simulation
