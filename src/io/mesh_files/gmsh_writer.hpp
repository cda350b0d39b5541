#pragma once
/// Gmsh meshes out.

#include "mesh/mesh_data.hpp"

#include <string>

namespace sunder::io {

/// Local. Version 2.2, binary: nodes, tetrahedra, triangles of face sets, points of node sets; sets as named physical
/// groups. An element is in the first set that has it (the format allows one). Whole or not there.
void write_gmsh(const mesh::MeshData& mesh, const std::string& path);

}  // namespace sunder::io
