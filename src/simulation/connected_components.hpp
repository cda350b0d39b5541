#pragma once
/// Connected components of a graph whose edges lie scattered over ranks.

#include "core/comm.hpp"

#include <span>
#include <utility>
#include <vector>

namespace sunder::simulation {

struct Components {
  std::vector<NodeId> least;  ///< (vertices) the smallest vertex of the component each is in
  std::int64_t counted = 0;   ///< Each component is counted by one rank: their sum over ranks is how many there are.
  int rounds = 0;             ///< It took, the same on every rank.
};

/// Collective on comm. Vertices are ids; a vertex or an edge that several ranks name is one. Random mate contraction
/// (Reif 1985): in each round every component so far tosses a coin, and each tail joins the least of the heads beside
/// it. Coins come from ids, so the rounds are the same in each run. An expected quarter of those that have a neighbour
/// vanish at least, so that rounds grow with the logarithm of the longest way through the graph, at worst of its
/// vertices; a round takes 2 ceil(log2 P) messages a rank (core/combining_round.hpp) and no collective, and components
/// that are complete ask no more.
/// @param vertices  of this rank, each once
/// @param edges     between any two; ends that are not among `vertices` are vertices too
Components connected_components(const Comm& comm, std::span<const NodeId> vertices,
                                std::span<const std::pair<NodeId, NodeId>> edges);

}  // namespace sunder::simulation
