#pragma once
/// The whole problem on one rank, before it is distributed. Plain data.

#include "mesh/mesh_data.hpp"
#include "partition/migration/migration_records.hpp"

#include <vector>

namespace sunder::partition {

/// On rank 0 only. Ids are positions in the lists.
struct WholeMesh {
  mesh::MeshData data;
  std::vector<MaterialIndex> element_materials;  ///< (tetrahedra)
  std::vector<std::uint8_t> element_levels;      ///< (tetrahedra) How often each is divided into eight; empty: none
                                                 ///< is. Those that share a node have the same.
  std::vector<std::uint64_t> node_marks;         ///< (nodes) Selections of the scene.
  std::vector<MarkedFace<GlobalIndex>> marked_faces;  ///< Faces of tetrahedra.
  std::uint64_t surface_marks = 0;                    ///< Marks that only marked_faces pass on to new nodes.
  std::vector<Vec3> node_velocities;                  ///< (nodes) Initial [m/s].
  std::vector<Rank> owners;                           ///< (nodes)
};

}  // namespace sunder::partition
