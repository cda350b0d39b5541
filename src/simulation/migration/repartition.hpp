#pragma once
/// Repartitioning while a run goes on: nodes change owner, elements follow, no bit changes. docs/ownership.md.

#include "config/scene.hpp"
#include "simulation/migration/new_owners.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/stepper.hpp"

namespace sunder::simulation {

/// Local. The partitioner that the scene asks for.
Partitioner partitioner_of(const config::PartitionOptions& options);

/// Collective, at a sync point. Decomposes the bodies anew, so that each rank gets as much work as the others,
/// estimated from processor time, and moves them. Nothing else changes, now or later. Returns whether it could be done:
/// if the partitioner fails, nodes keep their owners, and the first time a warning says so.
bool repartition(State& state, Stepper& stepper, const Partitioner& partitioner);

}  // namespace sunder::simulation
