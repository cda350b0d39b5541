#pragma once
/// Position along a Hilbert curve: neighbours in space come near each other in memory and make compact parts.

#include "core/types.hpp"
#include "mesh/mesh_data.hpp"

namespace sunder::partition {

/// Local. Position of a point along the curve through its bounding box, 20 bits an axis. Skilling (2004).
std::uint64_t hilbert_key(const Vec3& point, const Vec3& lowest, const Vec3& highest);

/// Local. Renumbers nodes by their position and tetrahedra by their centroid's along the curve (ties keep their
/// order), sets included. Positions in the result are the global ids of the run.
void order_along_hilbert(mesh::MeshData& mesh, std::vector<MaterialIndex>& element_materials,
                         std::vector<std::uint64_t>& node_marks, std::vector<Vec3>& node_velocities);

}  // namespace sunder::partition
