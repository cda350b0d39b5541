#pragma once
/// Brings each rank its part of a mesh that one rank has.

#include "core/comm.hpp"
#include "mesh/tet_mesh.hpp"
#include "partition/decompose/whole_mesh.hpp"
#include "partition/distribute/rows.hpp"

#include <optional>

namespace sunder::partition {

/// What a rank gets.
struct Part {
  mesh::TetMesh mesh;
  std::vector<Vec3> velocities;                      ///< (nodes)
  std::vector<std::uint8_t> levels;                  ///< (elements) How often each is still to be divided into eight.
  std::vector<MarkedFace<LocalIndex>> marked_faces;  ///< Those of which this rank owns a node.
  std::uint64_t surface_marks = 0;                   ///< Marks that only marked_faces pass on to new nodes.
};

/// Local. Mean length of the edges around each node: the material mesh size before fracture [m].
std::vector<double> node_sizes(const mesh::MeshData& mesh);

/// Local. The same of the held nodes of an unbroken mesh, and the same bits; right for nodes that this rank owns.
std::vector<double> node_sizes(const mesh::TetMesh& mesh);

/// Collective. Rank 0 passes the whole mesh, which is freed as it is sent. Each rank gets the elements and marked faces
/// of which it owns a node.
Part distribute(const Comm& comm, WholeMesh whole);

/// Local. Local indices of the corners of a face; nothing if no held element has the face.
std::optional<std::array<LocalIndex, 3>> find_face(const mesh::TetMesh& mesh, const std::array<NodeId, 3>& nodes);

/// Local. Makes the part of rank `me` from the records of all that it is to hold.
Part part_of(Rank me, MigrationRecords records, std::uint64_t surface_marks);

/// Local. The whole mesh as rows, with the nodes and elements of each part together: the contents of a file of
/// `sunder partition`.
RowSlice rows_by_part(const WholeMesh& whole);

}  // namespace sunder::partition
