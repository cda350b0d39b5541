#pragma once
/// Which rank owns which node.

#include "core/types.hpp"
#include "mesh/mesh_data.hpp"

#include <string>
#include <vector>

namespace sunder::partition {

enum class Method { metis, hilbert };

/// Local (one rank computes it for all). Owner of every node, in [0, parts). metis: k-way partition of the nodal graph,
/// nodes weighted by the elements around them, edge cut minimised, seeded. hilbert: equal weights along the order of
/// nodes, which must follow the Hilbert curve. Throws Error if there are more parts than nodes.
std::vector<Rank> decompose(const mesh::MeshData& mesh, Rank parts, Method method, std::int64_t seed);

}  // namespace sunder::partition
