#pragma once
/// Nodes that change owner, and elements that follow them. docs/ownership.md.

#include "element/model.hpp"
#include "partition/migration/migration_records.hpp"

namespace sunder::simulation {

/// Collective. What this rank is to hold once nodes have new owners, entry by entry as after a restart. What it holds
/// already it keeps; only elements that are new to a rank travel, so that the cost goes with what moves.
/// @param model   its shapes may have been released
/// @param owners  (nodes) that they are to have
/// @param pairs   memory of the elements this rank counts
partition::MigrationRecords migrate(const Comm& comm, const element::Model& model, std::span<const Rank> owners,
                                    std::vector<partition::PairRecord> pairs);

}  // namespace sunder::simulation
