#pragma once
/// Step 5 of a crack, apply: the two primitives, with everything that lives on nodes and elements. docs/remeshing.md.

#include "element/model.hpp"
#include "fracture/plan.hpp"

namespace sunder::fracture {

/// An element made by cutting another: it is part of its parent.
struct Lineage {
  ElementId made = 0, parent = 0;
};

/// What events changed on this rank. Lists may repeat.
struct MeshDelta {
  std::vector<LocalIndex> elements;           ///< Slots that changed, emptied ones included.
  std::vector<LocalIndex> nodes;              ///< Corners of elements that changed, or stopped being.
  std::vector<Lineage> lineage;               ///< Of elements made, in order; held or not.
  double kinetic_loss = 0;                    ///< By bisection, of elements this rank counts [J].
  Vec3 angular_momentum_loss = Vec3::Zero();  ///< Likewise [kg m^2/s].
};

/// A split: a node that gets a copy for some of its elements.
struct NodeSplit {
  NodeId node = 0, copy = 0;
  std::vector<ElementId> elements;
};

/// Local. Parts every held element around the edge; the new node moves as the edge did there.
void apply_bisection(element::Model& model, const Bisection& bisection, const mesh::CreationKey& creation_key,
                     MeshDelta& delta);

/// Local. Gives the held ones of the elements the copy. Nothing if none is held.
void apply_split(element::Model& model, const NodeSplit& split, MeshDelta& delta);

/// Local. A whole event of this round (model.rounds); events of one in ascending order of their nodes' ids.
void apply(element::Model& model, const Plan& plan, MeshDelta& delta);

/// Local. Lanes of changed elements, mass and toughness of changed nodes.
void refresh(element::Model& model, MeshDelta& delta);

}  // namespace sunder::fracture
