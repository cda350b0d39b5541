#pragma once
/// Pieces that the bodies are in: elements that share a node are in one.

#include "element/model.hpp"
#include "partition/halo.hpp"

#include <vector>

namespace sunder::simulation {

struct Fragments {
  std::int64_t count = 0;        ///< Over all ranks.
  std::vector<LocalIndex> part;  ///< (nodes) which connected part of what this rank holds; -1 without element
  std::vector<NodeId> least;     ///< (parts) smallest node id of the whole piece; parts of one piece have the same
  std::int64_t rounds = 0;       ///< It took to find which parts belong together, the same on every rank.
};

/// Collective. O(nodes + elements held), one neighbour exchange, what connected_components() takes for the parts that
/// reach another rank, and one reduction.
Fragments find_fragments(const element::Model& model, const partition::Halo& halo);

/// Collective. (nodes) dense number of the piece each node is in, by the smallest node id of the piece; -1 without
/// element. Costs what dense_numbers() does for the parts held.
std::vector<std::int64_t> fragment_of_nodes(const Comm& comm, const Fragments& fragments);

}  // namespace sunder::simulation
