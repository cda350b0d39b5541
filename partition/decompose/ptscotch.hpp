#pragma once
/// The one place that calls PT-Scotch.

#include "core/comm.hpp"
#include "partition/decompose/node_rows.hpp"

#include <optional>
#include <vector>

namespace sunder::partition {

/// Local. Can PT-Scotch number that many nodes and arcs with integers of `bits` bits?
bool ptscotch_numbers(GlobalIndex nodes, GlobalIndex arcs, int bits);

/// Local. Bits of the integers of the PT-Scotch that sunder is linked to.
int ptscotch_bits() noexcept;

/// Collective. Returns the owner of each row's node, for parts of equal work within 3 % and few arcs between them.
/// Returns nothing, on every rank, if the graph is too large for PT-Scotch. Throws Error on every rank if PT-Scotch
/// fails.
std::optional<std::vector<Rank>> partition_with_ptscotch(const Comm& comm, const NodeRows& rows);

}  // namespace sunder::partition
