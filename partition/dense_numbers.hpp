#pragma once
/// Numbers from 0 without gaps for ids that lie scattered over ranks.

#include "core/comm.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

/// Collective on comm. Position of each id among the ids of all ranks in ascending order, where an id that several
/// ranks have counts once. Sample sort: the ids are cut into at most `ranges` even ranges by a sample of them that all
/// ranks know, a rank each counts a range, and only numbers asked for travel. 3 ceil(log2 P) messages a rank and one
/// MPI_Exscan.
/// @param ids  of this rank, each once
std::vector<std::int64_t> dense_numbers(const Comm& comm, std::span<const NodeId> ids, std::size_t ranges = 1024);

}  // namespace sunder::partition
