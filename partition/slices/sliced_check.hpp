#pragma once
/// Checks the connectivity of a mesh in slices. The counterpart of mesh::check_mesh(), by all ranks together.

#include "partition/slices/fault_tally.hpp"
#include "partition/slices/sliced_stars.hpp"

namespace sunder::partition {

/// A node of this rank's block whose star has several components that share no face. Components are ordered by their
/// first element in the files.
struct HingedNode {
  std::size_t node = 0;                              ///< In the block.
  std::vector<std::vector<GlobalIndex>> components;  ///< Numbers of their elements, in the order of the file.
  std::vector<SlicedElement> first_of_component;
};

struct Topology {
  std::vector<Finding> findings;  ///< Repeated elements, faces of more than two elements. No hinges.
  std::vector<HingedNode> hinged;
};

/// Collective. Returns this rank's findings.
Topology check_topology(const Comm& comm, const SlicedMesh& mesh, const SlicedStars& stars);

/// Collective. Gives each component of these nodes' stars, except the first, a node of its own. The order is that of
/// mesh::check_mesh(), so that new nodes get the same numbers. rows: (bodies) number of node rows in each body's file.
void split_hinges(const Comm& comm, SlicedMesh& mesh, const SlicedStars& stars, const std::vector<HingedNode>& hinged,
                  std::span<const GlobalIndex> rows);

}  // namespace sunder::partition
