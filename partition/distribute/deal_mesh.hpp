#pragma once
/// Deals out a mesh that one rank has read alone, from a file that cannot be read in slices.

#include "core/comm.hpp"
#include "mesh/mesh_data.hpp"
#include "mesh/mesh_slice.hpp"

namespace sunder::partition {

/// Collective. Rank 0 passes the mesh, which is freed as it is dealt; the argument of other ranks is ignored. Returns
/// this rank's slice.
mesh::MeshSlice deal_mesh(const Comm& comm, mesh::MeshData data);

}  // namespace sunder::partition
