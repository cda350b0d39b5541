#pragma once
/// Which rank owns which node, worked out by all ranks together: for meshes whose graph is too large for one.

#include "core/comm.hpp"
#include "mesh/mesh_data.hpp"
#include "partition/node_rows.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

/// Collective. Owner of each row's node: by PT-Scotch, as decompose() with Method::metis, or along the Hilbert curve
/// where the graph is more than its integers number, which the log then says. Throws Error on every rank.
std::vector<Rank> decompose_rows(const Comm& comm, const NodeRows& rows);

/// Nodes [first, first + weights.size()) of a mesh, with all tetrahedra that have one of them.
struct NodeBlock {
  GlobalIndex first = 0;
  std::vector<double> weights;  ///< Work, in any unit that all ranks share.
  std::vector<std::array<GlobalIndex, 4>> tets;
  std::vector<Vec3> positions{};  ///< One a node; empty on all ranks: the nodes follow the Hilbert curve.
};

/// Collective. The same of blocks, in the order of ranks.
std::vector<Rank> decompose_blocks(const Comm& comm, NodeBlock block);

/// Collective. The same where rank 0 has the mesh, its nodes along the Hilbert curve: it deals out blocks and gets the
/// owners; what the others pass is not looked at, and they get nothing.
/// @param blocks  rank that is to work on each node, ascending: decompose() with Method::hilbert makes them
std::vector<Rank> decompose_in_parallel(const Comm& comm, const mesh::MeshData& mesh, std::span<const Rank> blocks,
                                        std::span<const std::uint8_t> levels = {});

}  // namespace sunder::partition
