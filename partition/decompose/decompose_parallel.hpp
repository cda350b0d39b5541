#pragma once
/// Decides together which rank owns which node, for meshes whose graph is too large for one rank.

#include "core/comm.hpp"
#include "mesh/mesh_data.hpp"
#include "partition/decompose/node_rows.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

/// Collective. Returns the owner of each row's node, by PT-Scotch. If the graph has more nodes or arcs than PT-Scotch's
/// integers can number, it decomposes along the Hilbert curve instead, and the log says so. Throws Error on every rank.
std::vector<Rank> decompose_rows(const Comm& comm, const NodeRows& rows);

/// Nodes [first, first + weights.size()) of a mesh, with all tetrahedra that have one of them.
struct NodeBlock {
  GlobalIndex first = 0;
  std::vector<double> weights;  ///< Work, in any unit that all ranks share.
  std::vector<std::array<GlobalIndex, 4>> tets;
  std::vector<Vec3> positions{};  ///< (nodes); empty on all ranks: the nodes follow the Hilbert curve [m].
};

/// Collective. The same for blocks of nodes, which follow each other in the order of ranks.
std::vector<Rank> decompose_blocks(const Comm& comm, NodeBlock block);

/// Collective. The same for a mesh that rank 0 has, with nodes along the Hilbert curve. Rank 0 deals out blocks and
/// gets the owners; the arguments of other ranks are ignored, and they get an empty result.
/// @param blocks  (nodes) the rank that is to work on each, ascending: decompose() with Method::hilbert makes them
std::vector<Rank> decompose_in_parallel(const Comm& comm, const mesh::MeshData& mesh, std::span<const Rank> blocks,
                                        std::span<const std::uint8_t> levels = {});

}  // namespace sunder::partition
