#pragma once
/// The one place that calls PT-Scotch.

#include "core/comm.hpp"
#include "partition/node_rows.hpp"

#include <optional>
#include <vector>

namespace sunder::partition {

/// Local. Can PT-Scotch number so many, with integers of so many bits?
bool ptscotch_numbers(GlobalIndex nodes, GlobalIndex arcs, int bits);

/// Bits of the integers of the PT-Scotch there is.
int ptscotch_bits() noexcept;

/// Collective. Owner of each row's node: parts of equal weight within 3 %, few arcs between them. Nothing, on every
/// rank, if the graph is too large for it. Throws Error on every rank if PT-Scotch fails.
std::optional<std::vector<Rank>> cut_with_ptscotch(const Comm& comm, const NodeRows& rows);

}  // namespace sunder::partition
