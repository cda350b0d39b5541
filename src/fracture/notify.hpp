#pragma once
/// Step 4 of a crack, notify: bring events to every rank that holds an element they change. docs/ownership.md.

#include "fracture/apply.hpp"
#include "fracture/plan.hpp"
#include "partition/halo.hpp"

namespace sunder::fracture {

/// Collective on the halo's neighbours, twice. Mine: planned by this rank for its own nodes. Returns these and the
/// events of others that may change an element held here, ascending by node id.
///
/// An event changes elements around edges that join two neighbours of its node. Who holds such an element has a copy of
/// one of those neighbours: the plan goes to the owners of the one-ring, and they pass it on to the holders.
std::vector<Plan> notify_holders(const mesh::TetMesh& mesh, const partition::Halo& halo, std::vector<Plan> mine);

/// Collective on the halo's neighbours. Splits that this rank makes of its own nodes; their holders are notified.
/// Returns these and those of others, ascending by node and copy id.
std::vector<NodeSplit> notify_holders(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                      std::vector<NodeSplit> mine);

}  // namespace sunder::fracture
