#pragma once
/// Meshes of TetGen: NAME.node and NAME.ele, and NAME.face where there is one.

#include "mesh/mesh_data.hpp"

#include <string>

namespace sunder::io {

/// Local. path: one of the two files; the others are looked for beside it. Numbered from 0 or 1, as the first point is.
/// First attribute k of an element: element set region_k. Marker m other than 0 of a node or a face: node set
/// boundary_m; of a face: face set boundary_m too. Throws Error with file and line.
mesh::MeshData read_tetgen(const std::string& path);

}  // namespace sunder::io
