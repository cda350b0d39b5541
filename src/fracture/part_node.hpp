#pragma once
/// What holds where a node is parted: links between the two nodes that it becomes. docs/cohesion.md.

#include "element/model.hpp"

#include <span>
#include <vector>

namespace sunder::fracture {

/// What a split of a node is going to part, and where its surface is.
struct Parting {
  double area = 0;                     ///< Of the new surface that goes with this node: a third of each face [m^2].
  Vec3 normal = Vec3::Zero();          ///< In the material: unit, from the elements that move to those that stay.
  double strength = 0, stiffness = 0;  ///< As in element::CohesiveLaw.
  material::Cohesion cohesion;         ///< Without energy nothing holds.
  /// Links of the model that the node has, and what part of each goes with the elements that move.
  struct Moving {
    std::size_t link = 0;
    double part = 0;
  };
  std::vector<Moving> moving;
};

/// Local. Of owned node n, before it is split. moving: the elements that get the copy, some of those around n.
///
/// A face that fracture makes has three corners, which are parted one after the other. The sides of a crack are joined
/// at a corner as long as both are around it. So the surface that a split parts at its node is: the faces that it
/// makes, and those made before both of whose sides were around the node until now. Faces are compared by plane, as the
/// two sides of a crack may be cut differently.
Parting find_parting(const element::Model& model, LocalIndex n, std::span<const LocalIndex> moving);

/// Local. After the split: makes the link between n and its copy, and gives the copy its part of the links that n had.
void link_parted(element::Model& model, LocalIndex n, LocalIndex copy, const Parting& parting);

}  // namespace sunder::fracture
