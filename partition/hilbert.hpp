#pragma once
/// Position along a Hilbert curve: neighbours in space come near each other in memory and make compact parts.

#include "core/types.hpp"
#include "partition/whole_mesh.hpp"

namespace sunder::partition {

/// Local. Position of a point along the curve through its bounding box, 20 bits an axis. Skilling (2004).
std::uint64_t hilbert_key(const Vec3& point, const Vec3& lowest, const Vec3& highest);

/// Local. Renumbers nodes by their position and tetrahedra by their centroid's along the curve (ties keep their
/// order), with everything that goes with them. Lists may be empty. Positions in the result are the global ids of the
/// run.
void order_along_hilbert(WholeMesh& whole);

}  // namespace sunder::partition
