#pragma once
/// Step 3 of a crack, plan: what one event does to the mesh. docs/fracture.md.

#include "element/model.hpp"
#include "fracture/options.hpp"

#include <optional>
#include <vector>

namespace sunder::fracture {

struct Bisection {
  NodeId a = 0, b = 0;  ///< a < b
  double t = 0;         ///< The new node is at a + t (b - a), in the world as in the material.
};

/// The event of one node, complete: every rank that applies it makes the same elements, whatever part it holds.
struct Plan {
  NodeId node = 0;
  NodeId copy = 0;                    ///< Id of the negative side's node.
  std::vector<Bisection> bisections;  ///< In the order to apply them.
  std::vector<ElementId> moving;      ///< Around node once bisected: those that get the copy. Ascending.
};

/// Local and pure. The event of owned node n failing on the plane through it normal to `normal` (world).
///
/// Every node joined to n is on the positive or the negative side or, if it is too near the plane, on it (snapping by
/// distance and angle, T Fig. 4.11; nodes of free faces that make less than theta_min with the plane, so that no new
/// surface comes closer than that to an old one: back-crack avoidance, T 4.3). Edges between opposite sides are cut
/// where they cross; a crossing too near an end, or one that would leave an element lower than least_height anywhere
/// around the edges cut, puts the nearer end on the plane. Elements all on the plane go by their centroid. Empty if all
/// elements end up on one side.
std::optional<Plan> plan(const element::Model& model, LocalIndex n, const Vec3& normal, const FractureOptions& options);

}  // namespace sunder::fracture
