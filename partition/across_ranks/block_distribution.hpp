#pragma once
/// A table in even blocks of rows, one a rank. Local.

#include "core/types.hpp"

namespace sunder::partition {

/// Even blocks: rank r has rows [begin(r), begin(r + 1)).
struct BlockDistribution {
  GlobalIndex rows = 0;
  Rank ranks = 1;

  GlobalIndex begin(Rank r) const { return rows / ranks * r + rows % ranks * r / ranks; }
  Rank rank_of(GlobalIndex row) const;
};

}  // namespace sunder::partition
