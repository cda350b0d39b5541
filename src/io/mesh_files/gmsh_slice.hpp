#pragma once
/// Binary Gmsh meshes, each rank reading its slice.

#include "core/comm.hpp"
#include "mesh/mesh_slice.hpp"

#include <string>

namespace sunder::io {

/// Collective. What read_gmsh() says, of a binary file. Rank 0 walks through its headers; then every rank reads an even
/// slice of the nodes and one of the elements. No rank holds more than that and the headers. Throws Error on every
/// rank, the same whatever their number.
mesh::MeshSlice read_gmsh_slice(const Comm& comm, const std::string& path);

}  // namespace sunder::io
