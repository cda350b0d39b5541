#pragma once
/// Step 4 of a crack, tell: bring events to every rank that holds an element they change. docs/ownership.md.

#include "fracture/apply.hpp"
#include "fracture/plan.hpp"
#include "partition/halo.hpp"

namespace sunder::fracture {

/// Collective on the halo's neighbours, twice. Mine: planned by this rank for its own nodes. Returns these and the
/// events of others that may change an element held here, ascending by node id.
///
/// An event changes elements around edges that join two neighbours of its node. Who holds such an element has a copy of
/// one of those neighbours: the plan goes to the owners of the one-ring, and they pass it on to the holders.
std::vector<Plan> tell(const mesh::TetMesh& mesh, const partition::Halo& halo, std::vector<Plan> mine);

/// Collective on the halo's neighbours. Copies this rank makes of its own nodes, told to their holders. Returns these
/// and those of others, ascending by node and copy id.
std::vector<Copying> tell(const mesh::TetMesh& mesh, const partition::Halo& halo, std::vector<Copying> mine);

}  // namespace sunder::fracture
