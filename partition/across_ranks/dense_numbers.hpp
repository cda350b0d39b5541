#pragma once
/// Consecutive numbers from 0 for ids that are scattered over ranks.

#include "core/comm.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

/// Collective on comm: 3 ceil(log2 P) messages a rank and one MPI_Exscan. Returns the position of each id among the
/// ascending ids of all ranks. An id that several ranks have counts once. Sample sort: a sample of the ids, known to
/// all ranks, divides them into at most `ranges` even ranges. One rank numbers the ids of a range.
/// @param ids  of this rank, each once
std::vector<std::int64_t> dense_numbers(const Comm& comm, std::span<const NodeId> ids, std::size_t ranges = 1024);

}  // namespace sunder::partition
