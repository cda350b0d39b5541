#pragma once
/// Nodes in one place, in a mesh that ranks read in slices.

#include "mesh/mesh_slice.hpp"
#include "partition/slices/fault_tally.hpp"
#include "partition/slices/sliced_mesh.hpp"

#include <span>

namespace sunder::simulation {

/// Collective. Finds nodes at the place of an earlier one of the file, unless the file has ids for nodes: Fault::crack
/// where elements connect the two, by whatever way, and Fault::coincident where nothing does, as mesh::check_mesh().
/// Only if there are such nodes the connections are looked for, which takes a few hundred bytes a node.
/// @param used      (nodes of this rank's block) not 0: an element has it
/// @param elements  of this rank, with rows for nodes
void find_coincident_nodes(const Comm& comm, std::size_t body, const mesh::MeshSlice& slice,
                           std::span<const std::uint8_t> used, std::span<const partition::SlicedElement> elements,
                           std::vector<partition::Finding>& findings);

}  // namespace sunder::simulation
