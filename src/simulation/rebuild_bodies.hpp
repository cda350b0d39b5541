#pragma once
/// The bodies of a state made anew from records: after a repartitioning, or when elements are taken out.

#include "partition/migration/migration_records.hpp"
#include "simulation/state.hpp"

namespace sunder::simulation {

/// Collective. The model and its halo are those of what this rank is to hold; materials and counters stay. Frees the
/// records of nodes and elements.
void rebuild_bodies(partition::MigrationRecords& bodies, State& state);

/// Collective. Takes elements out of the bodies, and nodes that no element has then. Owners stay, and nothing travels.
/// No contact may remember the elements, and no probe follow them.
/// @param elements  slots, ascending; every holder of an element names it
void remove_elements(std::span<const LocalIndex> elements, State& state);

}  // namespace sunder::simulation
