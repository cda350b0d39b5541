#pragma once
/// Step 3 of a crack, plan: how the mesh is to be cut where one node fails. docs/fracture.md.

#include "element/model.hpp"
#include "fracture/options.hpp"
#include "fracture/planned_children.hpp"

#include <optional>
#include <vector>

namespace sunder::fracture {

/// How one failing node is to be split. The plan is complete: every rank that applies it makes the same of the elements
/// it holds.
struct Plan {
  NodeId node = 0;
  NodeId copy = 0;                    ///< Id of the new node on the negative side.
  std::vector<Bisection> bisections;  ///< In the order to apply them.
  std::vector<ElementId> moving;      ///< Elements around the node, after the bisections, that get the copy. Ascending.
};

/// Local and pure. How to split owned node n, which fails, along the plane through it normal to `normal` (world).
///
/// 1. Every node joined to n gets a side: positive, negative, or on the plane. It is on the plane if it is too near to
///    it, by distance or by angle (snapping, T Fig. 4.11).
/// 2. Back-crack avoidance, T 4.3: the corners of a free face that makes less than theta_min with the plane are on the
///    plane, so that new surface follows old surface instead of running close beside it.
/// 3. Edges between opposite sides are bisected where they cross the plane. If the crossing is too near an end, or the
///    bisection would leave an element lower than least_height, the nearer end is put on the plane instead.
/// 4. Each resulting element around n belongs to one side. One with all corners on the plane goes by its centroid.
///
/// Returns nothing if all elements are on one side. docs/fracture.md has the algorithm.
std::optional<Plan> plan(const element::Model& model, LocalIndex n, const Vec3& normal, const FractureOptions& options);

/// Local and pure. How to split owned node n along an interface: the elements of one of its materials part from those
/// of the other. Those of a third go by their centroids, to the side of the plane normal to `normal` (world), which
/// points from material `a` to `b`. Nothing is bisected.
Plan plan_along_interface(const element::Model& model, LocalIndex n, const material::Interface& between,
                          const Vec3& normal);

}  // namespace sunder::fracture
