#pragma once
/// Fragments of the bodies: elements that share a node, or two nodes of a link that holds, are in the same one.

#include "element/model.hpp"
#include "partition/halo/halo.hpp"

#include <vector>

namespace sunder::simulation {

struct Fragments {
  std::int64_t count = 0;             ///< Over all ranks.
  std::vector<LocalIndex> component;  ///< (nodes) connected component of what this rank holds; -1 without element
  std::vector<NodeId> least;  ///< (components) smallest node id of the whole fragment, the same for all its components
  std::int64_t iterations = 0;  ///< It took to find which components belong together, the same on every rank.
};

/// Collective. O(nodes + elements held), one neighbour exchange, what connected_components() takes for the components
/// that reach another rank, and one reduction.
Fragments find_fragments(const element::Model& model, const partition::Halo& halo);

/// Collective. (nodes) dense number of the fragment of each node, by the smallest node id of the fragment; -1 without
/// element. Costs what dense_numbers() does for the components held.
std::vector<std::int64_t> fragment_of_nodes(const Comm& comm, const Fragments& fragments);

}  // namespace sunder::simulation
