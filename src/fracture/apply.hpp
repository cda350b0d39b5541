#pragma once
/// Step 5 of a crack, apply: bisects edges and splits nodes, with all fields that nodes and elements carry.
/// docs/remeshing.md.

#include "element/model.hpp"
#include "fracture/plan.hpp"
#include "partition/halo/halo.hpp"

namespace sunder::fracture {

/// An element made by cutting another, its parent. It fills some of what the parent filled before.
struct Lineage {
  ElementId made = 0, parent = 0;
};

/// A node that was split, and the copy that some elements around it got.
struct NodeCopy {
  LocalIndex node = -1, copy = -1;
};

/// What comes with the mass that elements made by bisection get for the sake of the step (time.mass_scaling_step)
/// beyond what their parent had got, less what goes where they get less. Their nodes keep their velocities.
struct AddedMass {
  double kinetic = 0;          ///< Energy [J].
  Vec3 moment = Vec3::Zero();  ///< Mass times its place [kg m].
};

/// What the plans carried out changed on this rank. Entries of a list may repeat.
struct MeshDelta {
  double time = 0;                   ///< Now, when new faces are made [s].
  bool cohesive = false;             ///< Do links hold what is parted?
  std::vector<LocalIndex> elements;  ///< Slots that changed, emptied ones included.
  std::vector<LocalIndex> nodes;     ///< Their corners, before and after; also those of elements around a split node.
  std::vector<LocalIndex> stars;     ///< Those of the nodes whose elements are not the same any more.
  std::vector<LocalIndex> loosened;  ///< Nodes whose star may have come apart: made by a cut, in the plane of a split.
  std::vector<Lineage> lineage;      ///< Of elements made from held ones, in order; those made may not be held.
  std::vector<NodeCopy> splits;      ///< Of nodes held, in order.
  std::int64_t elements_more = 0;    ///< Than before, of those that this rank counts.
  double kinetic_loss = 0;           ///< By bisection, of elements whose primary rank this is [J].
  Vec3 angular_momentum_loss = Vec3::Zero();  ///< Likewise [kg m^2/s].
  AddedMass added_mass;                       ///< Likewise.
};

/// A node split: some elements around the node get a copy of it as their corner.
struct NodeSplit {
  NodeId node = 0, copy = 0;
  std::vector<ElementId> elements;
};

/// Local. Bisects every held element around the edge. The new node gets the position and the velocity of its point of
/// the edge. Nothing happens if an end of the edge is not held.
void apply_bisection(element::Model& model, const Bisection& bisection, const mesh::CreationKey& creation_key,
                     MeshDelta& delta);

/// Local. Gives the copy to those of the elements that are held. Nothing happens if none is.
void apply_split(element::Model& model, const NodeSplit& split, MeshDelta& delta);

/// Local. Carries out one plan of the current round (model.rounds): a crack event. The caller applies the plans of a
/// round in ascending order of their nodes' ids.
void apply(element::Model& model, const Plan& plan, MeshDelta& delta);

/// Local. Makes the lists of delta unique and ascending; computes mass, toughness and least height anew where the star
/// of a node has changed.
void refresh(element::Model& model, MeshDelta& delta);

/// Collective on the halo's neighbours. After refresh(): the halo follows, and ghosts get the least heights that have
/// changed.
void update_halo(element::Model& model, partition::Halo& halo, const MeshDelta& delta);

}  // namespace sunder::fracture
