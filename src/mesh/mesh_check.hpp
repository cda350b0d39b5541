#pragma once
/// Checks whether a mesh can be simulated. Every mesh that is read or made is checked. docs/meshes.md.

#include "mesh/mesh_data.hpp"
#include "mesh/mesh_fault.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sunder::mesh {

/// What to do with a hinge: a node around which elements form several components that share no face.
enum class Hinges { report, split };

struct MeshReport {
  std::vector<std::string> errors;  ///< Each names nodes or elements by the file's numbers. Empty: the mesh is good.
  std::vector<std::string> notes;   ///< What was repaired.
};

/// Local. Fault::overflowing, ::flat or ::inverted; nothing if the volume is positive. Flat: the volume is at most 1e-9
/// of that of a regular tetrahedron with the same longest edge.
std::optional<Fault> fault_of_shape(const std::array<Vec3, 4>& corners);

/// Local. O(n log n). Repairs: if all elements have negative volume, as of netgen, they are reoriented; unused nodes
/// are dropped; hinges are split if asked to. Errors: coordinates that are not numbers; elements that are inverted,
/// flat or too large for arithmetic; coincident nodes of parts that no element connects, if the file has no ids for
/// nodes; repeated elements; faces of more than two elements; hinges. Coincident nodes of one connected mesh are sides
/// of a crack, and a note.
MeshReport check_mesh(MeshData& mesh, Hinges hinges);

}  // namespace sunder::mesh
