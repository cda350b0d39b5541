#pragma once
/// Nodes and elements on their way to other ranks, a few at a time.

#include "partition/migration.hpp"

#include <functional>
#include <map>

namespace sunder::partition {

/// What one rank is sent, by positions in what the sender has.
struct ExportList {
  std::vector<LocalIndex> nodes, elements;
};

/// Where the sender takes the records from.
struct RecordSource {
  std::function<NodeRecord(LocalIndex)> node;
  std::function<void(LocalIndex, ElementTable& to)> element;  ///< Appends it.
};

/// Local. Gives each list the corners of its elements, each once, ascending.
void add_corners(std::map<Rank, ExportList>& exports, std::span<const Tet> corners);

/// Collective. Brings every rank its exports, this rank's own to itself included. Returns the records in canonical
/// order, nodes each once, capacity for no more than there are; no pairs and faces. A rank packs a few messages of a
/// few thousand records at a time, and unpacks one: beside what it has and what it gets, memory hardly grows.
MigrationRecords migrate_exports(const Comm& comm, const std::map<Rank, ExportList>& exports,
                                 const RecordSource& source);

/// Local. Of one element, from pairs that ascend by element.
std::span<const PairRecord> pairs_of(std::span<const PairRecord> pairs, ElementId element);

/// Collective. Brings pairs to ranks. Returns what came, ascending by both ids.
std::vector<PairRecord> exchange_pairs(const Comm& comm, const std::map<Rank, std::vector<PairRecord>>& to);

}  // namespace sunder::partition
