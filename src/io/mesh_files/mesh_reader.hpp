#pragma once
/// Tetrahedral meshes from files of any kind this program reads. docs/meshes.md.

#include "mesh/mesh_data.hpp"

#include <string>

namespace sunder::io {

/// Local. By its ending: .msh (Gmsh), .vtu and .pvtu (VTK), .ele and .node (TetGen).
bool is_mesh_file(const std::string& path);

/// Local; one rank calls it. Throws Error with file and place for whatever is not a mesh, or an ending of another kind.
/// What comes back is well formed: indices in range, coordinates finite. Whether it is fit is check_mesh()'s question.
mesh::MeshData read_mesh(const std::string& path);

}  // namespace sunder::io
