#pragma once
/// From the rows of a file, read in even shares by any number of ranks, to the part each rank holds.

#include "partition/migration.hpp"

namespace sunder::partition {

/// Rank r reads rows [begin(r), begin(r + 1)) of so many.
struct BlockDistribution {
  GlobalIndex rows = 0;
  Rank ranks = 1;

  GlobalIndex begin(Rank r) const { return rows / ranks * r + rows % ranks * r / ranks; }
  Rank rank_of(GlobalIndex row) const;
};

/// A rank's share of the rows: each of the three even by itself.
struct RowShare {
  GlobalIndex all_nodes = 0, all_elements = 0;      ///< Over all ranks.
  std::vector<NodeRecord> nodes;                    ///< Owners: of the ranks that wrote them.
  ElementTable elements;                            ///< In any order, without nodes.
  std::vector<std::array<GlobalIndex, 4>> corners;  ///< Rows of their nodes.
  std::vector<PairRecord> pairs;                    ///< Without element.
  std::vector<GlobalIndex> pair_elements;           ///< Rows of their elements.
  std::vector<MarkedFace<GlobalIndex>> faces;       ///< By rows of nodes.
};

/// Collective. Owners as stored if keep_owners (they must be ranks of comm), else by
/// decompose_blocks(). Throws Error on every rank if there are more ranks than nodes.
MigrationRecords redistribute(const Comm& comm, RowShare share, bool keep_owners);

}  // namespace sunder::partition
