#pragma once
/// Sends nodes and elements to other ranks, a few at a time.

#include "partition/migration/migration_records.hpp"

#include <functional>
#include <map>

namespace sunder::partition {

/// Nodes and elements for one rank, as positions in the sender's lists.
struct ExportList {
  std::vector<LocalIndex> nodes, elements;
};

/// How the sender makes the records of what it sends.
struct RecordSource {
  std::function<NodeRecord(LocalIndex)> node;
  std::function<void(LocalIndex, ElementTable& to)> element;  ///< Appends the element.
};

/// Local. Fills in the nodes of each list: the corners of its elements, each once, ascending. corners: (elements).
void add_corners(std::map<Rank, ExportList>& exports, std::span<const Tet> corners);

/// Collective. Sends each rank its list, also this rank its own. Returns the records that came, elements in canonical
/// order and nodes each once, without pairs and faces. A rank packs a few messages of a few thousand records at a time
/// and unpacks one at a time. So it needs hardly more memory than for what it has and what it gets.
MigrationRecords migrate_exports(const Comm& comm, const std::map<Rank, ExportList>& exports,
                                 const RecordSource& source);

/// Local. The pairs of one element. pairs: ascending by element.
std::span<const PairRecord> pairs_of(std::span<const PairRecord> pairs, ElementId element);

/// Collective. Sends pairs to ranks. Returns the pairs that came, ascending by both ids.
std::vector<PairRecord> exchange_pairs(const Comm& comm, const std::map<Rank, std::vector<PairRecord>>& to);

/// Collective. Sends links to ranks. Returns the links that came, ascending by both nodes.
std::vector<LinkRecord> exchange_links(const Comm& comm, const std::map<Rank, std::vector<LinkRecord>>& to);

}  // namespace sunder::partition
