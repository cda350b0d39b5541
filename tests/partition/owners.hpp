#pragma once
/// Ways to give nodes their owners, the unlikely ones included, that tests of partition/ go through.

#include "support/problem.hpp"

#include <vector>

namespace sunder::test {

/// By two partitioners, scattered, and with nothing for rank 0.
inline std::vector<Owners> all_owners()
{
  const auto nothing_for_rank_0 = [](const mesh::MeshData& mesh, Rank ranks) {
    std::vector<Rank> owners(mesh.nodes.size(), ranks - 1);
    for (std::size_t n = 0; n < owners.size(); ++n)
      if (ranks > 2) owners[n] = 1 + static_cast<Rank>(n) % (ranks - 1);
    return owners;
  };
  return {by_method(partition::Method::metis), by_method(partition::Method::hilbert), scattered(3), nothing_for_rank_0};
}

}  // namespace sunder::test
