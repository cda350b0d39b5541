#pragma once
/// Decides which part of a decomposition goes to which rank.

#include "core/comm.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

/// Collective. A partitioner numbers its parts in any order. This gives each part to one rank, so that ranks keep much
/// of what they have. A part goes to the rank that has most of it, unless that rank gets another part of which it has
/// more; parts left over go to the ranks left over. Rank r decides on part r, so no array is as long as the number of
/// ranks.
/// @param parts    (rows of this rank) part of each, in [0, ranks)
/// @param weights  (rows of this rank)
/// @return         (rows of this rank) the rank that each goes to
std::vector<Rank> keep_in_place(const Comm& comm, std::span<const Rank> parts, std::span<const double> weights);

}  // namespace sunder::partition
