#pragma once
/// Meshes as VTK's unstructured grids.

#include "mesh/mesh_data.hpp"

#include <string>

namespace sunder::io {

/// Local. Appended raw data in blocks of zlib: points in double precision, tetrahedra, triangles of face sets. Each set
/// is an array of zeros and ones that has its name: of cells for elements and triangles, of points for nodes. Whole or
/// not there. Throws Error, also if a set has a name that read_vtu() takes for something else.
void write_vtu(const mesh::MeshData& mesh, const std::string& path);

}  // namespace sunder::io
