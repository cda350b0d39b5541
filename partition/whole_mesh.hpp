#pragma once
/// The whole problem on one rank, before it is distributed.

#include "mesh/mesh_data.hpp"
#include "partition/migration.hpp"

#include <vector>

namespace sunder::partition {

/// On the root rank only. Ids are positions.
struct WholeMesh {
  mesh::MeshData data;
  std::vector<MaterialIndex> element_materials;       ///< One a tetrahedron.
  std::vector<std::uint8_t> element_levels;           ///< Times each is divided into eight; empty: none is. The same
                                                      ///< for tetrahedra that share a node.
  std::vector<std::uint64_t> node_marks;              ///< One a node: scene selections.
  std::vector<MarkedFace<GlobalIndex>> marked_faces;  ///< Faces of tetrahedra.
  std::uint64_t surface_marks = 0;                    ///< Marks that only marked_faces pass on to new nodes.
  std::vector<Vec3> node_velocities;                  ///< Initial, one a node [m/s].
  std::vector<Rank> owners;                           ///< One a node.
};

}  // namespace sunder::partition
