#pragma once
/// Brings each rank its part of a file, which any number of ranks have read in even slices.

#include "partition/across_ranks/block_distribution.hpp"
#include "partition/migration/migration_records.hpp"

namespace sunder::partition {

/// A rank's slice of a file: an even block of the nodes, one of the elements, one of the pairs.
struct RowSlice {
  GlobalIndex all_nodes = 0, all_elements = 0;      ///< Over all ranks.
  std::vector<NodeRecord> nodes;                    ///< Their owners are those that wrote the file.
  ElementTable elements;                            ///< In any order; ElementRecord::nodes is not set.
  std::vector<std::array<GlobalIndex, 4>> corners;  ///< (elements) Rows of their nodes.
  std::vector<PairRecord> pairs;                    ///< PairRecord::element is not set.
  std::vector<GlobalIndex> pair_elements;           ///< (pairs) Rows of their elements.
  std::vector<LinkRecord> links;
  std::vector<std::array<GlobalIndex, 3>> link_nodes;  ///< (links) Rows of both nodes, and of one that stands for all
                                                       ///< that hang together by links.
  std::vector<MarkedFace<GlobalIndex>> faces;          ///< Corners are rows of nodes.
};

/// Collective. Returns what this rank is to hold. Owners are those stored if keep_owners, and must then be ranks of
/// comm; else decompose_blocks() decides. Throws Error on every rank if there are more ranks than nodes.
MigrationRecords redistribute(const Comm& comm, RowSlice slice, bool keep_owners);

}  // namespace sunder::partition
