#pragma once
/// Which part of a cut goes to which rank.

#include "core/comm.hpp"

#include <span>
#include <vector>

namespace sunder::partition {

/// Collective. Partitioners number parts as they come. Renumbers them, one a rank, so that ranks keep much of what they
/// have: a part goes to the rank that has most of it, unless another part has more of that rank; what is left goes by
/// turns. Each rank looks after the part of its number, so that nothing is as long as the number of ranks.
/// @param parts    in [0, ranks), of what this rank has
/// @param weights  of the same
/// @return the rank that each is to go to
std::vector<Rank> keep_in_place(const Comm& comm, std::span<const Rank> parts, std::span<const double> weights);

}  // namespace sunder::partition
