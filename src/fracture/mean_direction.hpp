#pragma once
/// The direction of a crack where its surface takes energy: of the stress around the node, not at the node alone.
/// docs/cohesion.md.

#include "element/model.hpp"
#include "partition/halo/halo.hpp"

#include <span>
#include <vector>

namespace sunder::fracture {

/// Collective on the halo's neighbours: two exchanges. For each of these owned nodes the direction of the greatest
/// principal stress, of the mean over the elements around the node and its neighbours that are nearer than two mesh
/// sizes before fracture. Elements count by volume, less the farther away. The same bits on any number of ranks; zero
/// where the mean has no tension.
std::vector<Vec3> mean_directions(const element::Model& model, const partition::Halo& halo,
                                  std::span<const LocalIndex> nodes);

}  // namespace sunder::fracture
