#pragma once
/// VTK's unstructured grids of appended raw data, each rank reading its slice.

#include "core/comm.hpp"
#include "mesh/mesh_slice.hpp"

#include <string>

namespace sunder::io {

/// Collective. What read_vtu() says, of files that vtu_layout() can lay out. Rank 0 reads the headers; then every rank
/// reads an even slice of the points and one of the cells. Throws Error on every rank, the same whatever their number.
mesh::MeshSlice read_vtu_slice(const Comm& comm, const std::string& path);

}  // namespace sunder::io
