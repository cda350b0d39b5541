#pragma once
/// Which rank owns which node.

#include "core/types.hpp"
#include "mesh/mesh_data.hpp"

#include <span>
#include <string>
#include <vector>

namespace sunder::partition {

enum class Method { metis, hilbert };

/// Local (one rank computes it for all). Owner of every node, in [0, parts). metis: k-way partition of the nodal graph,
/// nodes weighted by the elements around them, edge cut minimised, seeded. hilbert: equal weights along the order of
/// nodes, which must follow the Hilbert curve. An element that will be divided into eight `levels` times (one a
/// tetrahedron; empty: none) weighs as much as its parts. Throws Error if there are more parts than nodes.
std::vector<Rank> decompose(const mesh::MeshData& mesh, Rank parts, Method method, std::int64_t seed,
                            std::span<const std::uint8_t> levels = {});

}  // namespace sunder::partition
