#include "partition/decompose/nodal_graph.hpp"

#include "core/error.hpp"

#include <limits>

namespace sunder::partition {

TetsAround::TetsAround(std::span<const std::array<GlobalIndex, 4>> tets, GlobalIndex first, std::size_t rows)
  : tets_(tets), begin_(rows + 1, 0)
{
  SUNDER_ASSERT(tets.size() <= std::numeric_limits<std::uint32_t>::max());
  const auto row_of = [&](GlobalIndex q) { return q < first ? rows : static_cast<std::size_t>(q - first); };
  for (const auto& tet : tets)
    for (const GlobalIndex q : tet)
      if (row_of(q) < rows) ++begin_[row_of(q) + 1];
  for (std::size_t q = 0; q < rows; ++q) begin_[q + 1] += begin_[q];
  tet_.resize(begin_[rows]);
  auto next = begin_;
  for (std::size_t e = 0; e < tets.size(); ++e)
    for (const GlobalIndex q : tets[e])
      if (row_of(q) < rows) tet_[next[row_of(q)]++] = static_cast<std::uint32_t>(e);
}

}  // namespace sunder::partition
