#pragma once
/// Gmsh meshes, .msh 2.2 and 4.1, text and binary.

#include "mesh/mesh_data.hpp"

#include <string>

namespace sunder::io {

/// Local. Linear tetrahedra, and physical groups as named sets: volumes as element sets, surfaces as face sets and node
/// sets, lines and points as node sets; a group without a name goes by its number. Counts in the file are never
/// trusted. Throws Error that says file, section, line or byte, what was expected and what was found.
mesh::MeshData read_gmsh(const std::string& path);

}  // namespace sunder::io
