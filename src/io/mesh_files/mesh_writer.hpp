#pragma once
/// Tetrahedral meshes into files of any kind this program writes. docs/meshes.md.

#include "mesh/mesh_data.hpp"

#include <string>

namespace sunder::io {

/// Local. Throws Error if the ending is none of .msh (Gmsh) and .vtu (VTK): to be asked before the work for the file.
void check_can_write_mesh(const std::string& path);

/// Local. In the format of the ending. Whole or not there. Throws Error.
void write_mesh(const mesh::MeshData& mesh, const std::string& path);

}  // namespace sunder::io
