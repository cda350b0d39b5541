#pragma once
/// The order of elimination for a sparse factorisation.

#include "solvers/block_cholesky.hpp"

namespace sunder::solvers {

/// Local. An order with little fill: approximate minimum degree (Amestoy, Davis, Duff 1996). A pure function of the
/// pattern. METIS's order has a fifth less fill, but draws from rand() of the C library, which any thread of any
/// library may do as well: ranks would factor in different orders.
/// @param pattern  as BlockCholesky's
std::vector<std::int32_t> elimination_order(std::size_t num_rows, std::span<const BlockPosition> pattern);

}  // namespace sunder::solvers
