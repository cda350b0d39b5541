#pragma once
/// A mesh that one rank has, dealt out: what a file that cannot be read in shares comes to.

#include "core/comm.hpp"
#include "mesh/mesh_data.hpp"
#include "mesh/mesh_slice.hpp"

namespace sunder::partition {

/// Collective. Rank 0 has the mesh, and what it deals it frees; what the others pass is not looked at.
mesh::MeshSlice deal_mesh(const Comm& comm, mesh::MeshData data);

}  // namespace sunder::partition
