#pragma once
/// Points of a file that are one node, found by all ranks together.

#include "core/comm.hpp"
#include "mesh/mesh_slice.hpp"

#include <functional>

namespace sunder::io {

/// Collective. For each node of this rank's block the first row that is the same node; empty if every node is its own.
/// Where the slice has ids (node_labels), the same id makes the same node, and it must be in one place. Otherwise the
/// same place does, in different pieces: points of one piece stay what they are. piece_of: of a row; file_of: of a
/// piece, for the message. Throws Error on every rank.
std::vector<GlobalIndex> first_alike(const Comm& comm, const mesh::MeshSlice& slice,
                                     const std::function<std::int32_t(GlobalIndex)>& piece_of,
                                     const std::function<std::string(std::int32_t)>& file_of);

/// Collective. Elements and sets name the first of the rows that are one node; the others are marked as repeated.
void join_rows(const Comm& comm, const std::vector<GlobalIndex>& first, mesh::MeshSlice& slice);

}  // namespace sunder::io
