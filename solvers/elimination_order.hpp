#pragma once
/// The order of elimination for a sparse factorisation.

#include "solvers/block_cholesky.hpp"

namespace sunder::solvers {

/// Local. An order with little fill: METIS's nested dissection. A pure function of the pattern.
/// @param pattern  as BlockCholesky's
std::vector<std::int32_t> elimination_order(std::size_t num_rows, std::span<const BlockPosition> pattern);

}  // namespace sunder::solvers
