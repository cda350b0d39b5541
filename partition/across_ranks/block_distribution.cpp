#include "partition/across_ranks/block_distribution.hpp"

namespace sunder::partition {

Rank BlockDistribution::rank_of(GlobalIndex row) const
{
  auto r = static_cast<Rank>(static_cast<double>(row) / static_cast<double>(rows) * ranks);
  while (r > 0 && row < begin(r)) --r;
  while (row >= begin(r + 1)) ++r;
  return r;
}

}  // namespace sunder::partition
