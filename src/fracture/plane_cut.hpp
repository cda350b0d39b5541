#pragma once
/// Cuts the elements that a plane passes through, so that faces of the mesh lie on the plane. docs/remeshing.md.

#include "element/model.hpp"
#include "fracture/apply.hpp"
#include "fracture/options.hpp"
#include "partition/halo/halo.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::fracture {

/// A plane in the material that ends at a ball.
struct BallPlane {
  Vec3 origin = Vec3::Zero(), normal = Vec3::UnitZ();  ///< Unit normal.
  double radius = 0;                                   ///< Elements with their centroids so far from origin are in it.

  double distance(const Vec3& X) const { return (X - origin).dot(normal); }  ///< Signed [m].
  bool reaches(const mesh::TetMesh& mesh, LocalIndex e) const;               ///< Local. Is the centroid in the ball?
  double centroid_distance(const mesh::TetMesh& mesh, LocalIndex e) const;   ///< Local. Signed [m].
};

/// How a plane passes through the mesh.
struct PlaneCrossings {
  /// (nodes) of elements in the ball: 1 or -1 on a side of the plane, 0 on it; 0 of all others.
  std::vector<std::int8_t> sides;
  /// Of edges held whose ends are on different sides, ascending.
  std::vector<Bisection> bisections;
};

/// Collective. Changes nothing. A crossing that is too near an end of the edge is none: that end counts as on the
/// plane (snapping). So does the nearer end of an edge that is shorter than least_edge, and of one whose cut would
/// leave an element that is too low, by options.least_height. Each node's owner decides, and the other holders are
/// told: the same on any number of ranks.
/// @param least_edge  over the mesh size before fracture
PlaneCrossings find_crossings(const element::Model& model, const partition::Halo& halo, const BallPlane& plane,
                              const FractureOptions& options, double least_edge);

/// Collective on the halo's neighbours. Bisects edges, one after the other; what is not held here is passed over. On
/// return the model's fields and the halo agree again.
/// @param first  creation key of the first; the number of its bisection counts on from there, and is that of the next
MeshDelta cut_edges(element::Model& model, partition::Halo& halo, std::span<const Bisection> bisections,
                    mesh::CreationKey& first);

}  // namespace sunder::fracture
