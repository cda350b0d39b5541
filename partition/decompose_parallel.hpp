#pragma once
/// Which rank owns which node, worked out by all ranks together: for meshes whose graph is too large for one.

#include "core/comm.hpp"
#include "mesh/mesh_data.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

/// Collective. As decompose() with Method::metis, by PT-Scotch: each rank builds and cuts the graph of a block of
/// nodes. Rank 0 has the mesh, deals out the blocks and gets the owners; what the others pass is not looked at, and
/// they get nothing. Throws Error on every rank.
/// @param blocks  rank that is to work on each node, ascending: decompose() with Method::hilbert makes them
std::vector<Rank> decompose_in_parallel(const Comm& comm, const mesh::MeshData& mesh, std::span<const Rank> blocks,
                                        std::span<const std::uint8_t> levels = {});

/// Nodes [first, first + weights.size()) of a mesh, with all tetrahedra that have one of them.
struct NodeBlock {
  GlobalIndex first = 0;
  std::vector<int> weights;
  std::vector<std::array<GlobalIndex, 4>> tets;
};

/// Collective. The same where each rank has its block already, in the order of ranks. Returns the owners of its nodes.
std::vector<Rank> decompose_blocks(const Comm& comm, NodeBlock block);

}  // namespace sunder::partition
