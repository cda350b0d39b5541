#pragma once
/// Meshes as VTK's unstructured grids.

#include "mesh/mesh_data.hpp"

#include <string>

namespace sunder::io {

/// Local. Appended raw data in blocks of zlib: points in double precision, tetrahedra, triangles of face sets. The cell
/// array `region` has k for elements of element set k, from 1 (an element is in the first set that has it), numbers
/// after those for triangles of face sets, and 0 elsewhere; each node set is a point array of zeros and ones that has
/// its name. Whole or not there. Throws Error.
void write_vtu(const mesh::MeshData& mesh, const std::string& path);

}  // namespace sunder::io
