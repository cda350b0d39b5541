#pragma once
/// From a whole mesh on one rank to the part each rank holds.

#include "core/comm.hpp"
#include "mesh/tet_mesh.hpp"
#include "partition/rows.hpp"
#include "partition/whole_mesh.hpp"

#include <optional>

namespace sunder::partition {

/// What a rank gets.
struct Part {
  mesh::TetMesh mesh;
  std::vector<Vec3> velocities;                      ///< (nodes)
  std::vector<std::uint8_t> levels;                  ///< (elements) times each is still to be divided into eight
  std::vector<MarkedFace<LocalIndex>> marked_faces;  ///< Those of which this rank owns a node.
  std::uint64_t surface_marks = 0;                   ///< Marks that only marked_faces pass on to new nodes.
};

/// Mean length of the edges around each node: the material mesh size before fracture. Local.
std::vector<double> node_sizes(const mesh::MeshData& mesh);

/// Collective. Rank 0 has the whole mesh; it is freed as it is sent. Each rank gets the elements and
/// marked faces of which it owns a node.
Part distribute(const Comm& comm, WholeMesh whole);

/// Local. A face by its nodes' places; nothing if no element held has it.
std::optional<std::array<LocalIndex, 3>> find_face(const mesh::TetMesh& mesh, const std::array<NodeId, 3>& nodes);

/// Local. The part of rank `me`, of what it is to hold.
Part part_of(Rank me, MigrationRecords records, std::uint64_t surface_marks);

/// Local. All of it, the nodes and elements of each part together: what a file of a mesh holds that is cut beforehand.
RowShare rows_by_part(const WholeMesh& whole);

}  // namespace sunder::partition
