#pragma once
/// From a whole mesh on one rank to the part each rank holds.

#include "core/comm.hpp"
#include "mesh/mesh_data.hpp"
#include "mesh/tet_mesh.hpp"

namespace sunder::partition {

/// The whole problem before distribution, on the root rank only. Ids are positions.
struct WholeMesh {
  mesh::MeshData data;
  std::vector<MaterialIndex> element_materials;  ///< One a tetrahedron.
  std::vector<std::uint64_t> node_marks;         ///< One a node: scene selections.
  std::vector<Vec3> node_velocities;             ///< Initial, one a node [m/s].
  std::vector<Rank> owners;                      ///< One a node.
};

/// What a rank gets.
struct Part {
  mesh::TetMesh mesh;
  std::vector<Vec3> velocities;  ///< (nodes)
};

/// Mean length of the edges around each node: the material mesh size before fracture. Local.
std::vector<double> node_sizes(const mesh::MeshData& mesh);

/// Collective. Rank 0 has the whole mesh; it is freed as it is sent. Each rank gets the elements of which it owns a
/// node.
Part distribute(const Comm& comm, WholeMesh whole);

}  // namespace sunder::partition
