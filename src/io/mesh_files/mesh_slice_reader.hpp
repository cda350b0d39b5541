#pragma once
/// Mesh files that all ranks read together, each its slice. docs/meshes.md.

#include "core/comm.hpp"
#include "mesh/mesh_data.hpp"
#include "mesh/mesh_slice.hpp"

#include <string>

namespace sunder::io {

/// Local; reads headers. Can ranks read slices of it? Binary Gmsh, and VTK's grids of appended raw data. Throws
/// Unreadable.
bool has_slices(const std::string& path);

/// Collective. This rank's slice of a file that has_slices(). Well formed as what read_mesh() returns. Throws Error on
/// every rank, the same whatever their number.
mesh::MeshSlice read_mesh_slice(const Comm& comm, const std::string& path);

/// Local. The slice of a single rank as what it is: the whole mesh.
mesh::MeshData whole_mesh(mesh::MeshSlice slice);

}  // namespace sunder::io
