#pragma once
/// Orders of elimination for a sparse factorisation.

#include "solvers/block_cholesky.hpp"

namespace sunder::solvers {

/// Local. An order of elimination with little fill, for rows whose neighbours have close numbers: the first half of
/// them without those that touch the second half, the second half, then those left out; each half alike (George 1973).
/// @param pattern  as BlockCholesky's
std::vector<std::int32_t> nested_dissection(std::size_t num_rows, std::span<const BlockPosition> pattern);

}  // namespace sunder::solvers
