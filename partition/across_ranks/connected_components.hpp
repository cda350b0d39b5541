#pragma once
/// Connected components of a graph whose edges lie scattered over ranks.

#include "core/comm.hpp"

#include <span>
#include <utility>
#include <vector>

namespace sunder::partition {

struct Components {
  std::vector<NodeId> least;  ///< (vertices) Smallest vertex of the component of each.
  std::int64_t counted = 0;   ///< Components that this rank counts. The sum over ranks is their number.
  int iterations = 0;         ///< Iterations it took, the same on every rank.
};

/// Collective on comm. Vertices are ids. Several ranks may name the same vertex or edge; it counts once.
///
/// Random mate contraction (Reif 1985): in each iteration every component so far tosses a coin, and each component with
/// tails that has neighbours with heads joins the least of them. The coins are hashes of ids, so the same graph takes
/// the same iterations on any number of ranks. A component with a neighbour vanishes with a chance of a quarter or
/// more, so the number of iterations grows with the logarithm of the number of vertices, whatever the graph. An
/// iteration takes 2 ceil(log2 P) messages a rank (core/combining_exchange.hpp) and no collective. Components that are
/// complete send nothing more.
/// @param vertices  of this rank, each once
/// @param edges     between any two; their ends are vertices too
Components connected_components(const Comm& comm, std::span<const NodeId> vertices,
                                std::span<const std::pair<NodeId, NodeId>> edges);

}  // namespace sunder::partition
