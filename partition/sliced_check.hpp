#pragma once
/// Is a mesh in slices fit to be simulated, as far as what is joined to what goes? The counterpart of
/// mesh::check_mesh(), of all ranks together.

#include "partition/fault_tally.hpp"
#include "partition/sliced_stars.hpp"

namespace sunder::partition {

/// A node of this rank's block that merely hinges parts of its star. Parts are in the order of the files, by their
/// first element there.
struct HingedNode {
  std::size_t node = 0;                         ///< In the block.
  std::vector<std::vector<GlobalIndex>> parts;  ///< Numbers of their elements, in the order of the file.
  std::vector<SlicedElement> first_of_part;
};

struct Topology {
  std::vector<Finding> findings;  ///< Elements that stand twice, faces of more than two elements. None for hinges.
  std::vector<HingedNode> hinged;
};

/// Collective.
Topology check_topology(const Comm& comm, const SlicedMesh& mesh, const SlicedStars& stars);

/// Collective. Gives every part of these nodes' stars but the first a node of its own, in the order in which
/// mesh::check_mesh() does, so that numbers come out the same. rows: of each body's file.
void part_hinges(const Comm& comm, SlicedMesh& mesh, const SlicedStars& stars, const std::vector<HingedNode>& hinged,
                 std::span<const GlobalIndex> rows);

}  // namespace sunder::partition
