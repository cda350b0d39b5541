#pragma once
/// Connected components of a graph whose edges lie scattered over ranks.

#include "core/comm.hpp"

#include <span>
#include <utility>
#include <vector>

namespace sunder::partition {

struct Components {
  std::vector<NodeId> least;  ///< (vertices) the smallest vertex of the component each is in
  std::int64_t counted = 0;   ///< Each component is counted by one rank: their sum over ranks is how many there are.
  int rounds = 0;             ///< It took, the same on every rank.
};

/// Collective on comm. Vertices are ids; a vertex or an edge that several ranks name is one. Random mate contraction
/// (Reif 1985): in each round every component so far tosses a coin, and each tail that has heads beside it joins the
/// least of them. Coins come from ids, so the same graph takes the same rounds on any number of ranks. A component that
/// has a neighbour vanishes with a chance of a quarter or more, so that rounds grow with the logarithm of the number of
/// vertices, however they hang together. A round takes 2 ceil(log2 P) messages a rank (core/combining_round.hpp) and no
/// collective; nobody asks about a component that is complete.
/// @param vertices  of this rank, each once
/// @param edges     between any two; ends that are not among `vertices` are vertices too
Components connected_components(const Comm& comm, std::span<const NodeId> vertices,
                                std::span<const std::pair<NodeId, NodeId>> edges);

}  // namespace sunder::partition
