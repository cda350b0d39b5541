#pragma once
/// Repartitioning while a run goes on: nodes change owner, elements follow, no bit changes. docs/ownership.md.

#include "config/scene.hpp"
#include "simulation/migration/new_owners.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/stepper.hpp"

namespace sunder::simulation {

/// Local. The cut that the scene asks for.
Cut cut_of(const config::PartitionOptions& options);

/// Collective, at a sync point. Cuts the bodies anew, so that each rank gets as much work as the others, estimated
/// from processor time, and moves them. Nothing else changes, now or later. Returns whether it could be done: if the
/// cut fails, nodes keep their owners, and the first time a warning says so.
bool repartition(State& state, Stepper& stepper, const Cut& cut);

}  // namespace sunder::simulation
