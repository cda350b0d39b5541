#pragma once
/// Order along a Hilbert curve. What is near in space is then near in memory, and parts of the order are compact.

#include "core/types.hpp"
#include "partition/decompose/whole_mesh.hpp"

namespace sunder::partition {

/// Local. Position of a point along the curve through the box from lowest to highest, 20 bits an axis. Skilling (2004).
std::uint64_t hilbert_key(const Vec3& point, const Vec3& lowest, const Vec3& highest);

/// Local. Sorts nodes by their position along the curve, and tetrahedra by that of their centroid, with everything that
/// belongs to them. Equal positions keep their order. Lists that are empty stay so. Positions in the result are the ids
/// of the run.
void order_along_hilbert(WholeMesh& whole);

}  // namespace sunder::partition
