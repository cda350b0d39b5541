#pragma once
/// Step 4 of a crack, notify: sends each plan to every rank that holds an element it changes. docs/ownership.md.

#include "fracture/apply.hpp"
#include "fracture/plan.hpp"
#include "partition/halo/halo.hpp"

namespace sunder::fracture {

/// Collective on the halo's neighbours: two exchanges. mine: plans that this rank made for its own nodes. Returns
/// these and the plans of other ranks that may change an element held here, ascending by node id.
///
/// A plan changes elements around edges that join two neighbours of its node. A rank that holds such an element holds
/// a copy of one of those neighbours, or owns one. So the plan first goes to the owners of the one-ring; each of them
/// passes it on to all ranks that hold an element of one of its nodes.
std::vector<Plan> notify_of_plans(const mesh::TetMesh& mesh, const partition::Halo& halo, std::vector<Plan> mine);

/// Collective on the halo's neighbours: one exchange. mine: splits of this rank's own nodes. They are sent to the ranks
/// that hold elements of these nodes. Returns these and the splits of other ranks, ascending by node and copy id.
std::vector<NodeSplit> notify_of_splits(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                        std::vector<NodeSplit> mine);

}  // namespace sunder::fracture
