#pragma once
/// Which rank owns which node.

#include "core/types.hpp"
#include "mesh/mesh_data.hpp"

#include <span>
#include <string>
#include <vector>

namespace sunder::partition {

enum class Method { metis, hilbert };

/// Local; one rank computes it for all. Returns the owner of every node, in [0, parts). metis: k-way partition of the
/// nodal graph that minimises the edge cut, from a seed. hilbert: parts of equal weight along the order of nodes, which
/// must follow the Hilbert curve. A node weighs as many elements as it has around it. levels: (tetrahedra) how often
/// each will be divided into eight; it weighs as much as its children. Empty: none is divided. Throws Error if there
/// are more parts than nodes.
std::vector<Rank> decompose(const mesh::MeshData& mesh, Rank parts, Method method, std::int64_t seed,
                            std::span<const std::uint8_t> levels = {});

}  // namespace sunder::partition
