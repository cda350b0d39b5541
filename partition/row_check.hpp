#pragma once
/// Rows as they come from a file: its bytes may be those that were sealed, and yet point out of it.

#include "partition/rows.hpp"

#include <optional>
#include <string>

namespace sunder::partition {

/// What the rest of the file, and the scene, say of its rows.
struct RowLimits {
  Rank parts = 1;               ///< Ranks that own nodes.
  std::size_t materials = 1;    ///< Of the model.
  int most_levels = 0;          ///< Times an element may still be to be divided.
  std::uint64_t marks = ~0ull;  ///< Bits that nodes and marked faces may have.
  bool ids_are_rows = false;    ///< Ids are those of an unbroken mesh: each of 0 to n - 1 once.
};

/// Collective. The first row that is unsound, as text without the file's name, the same on any number of ranks; nothing
/// if all are sound: owners, materials, levels, marks and corners in range, corners different, numbers finite, ids as
/// they should be.
std::optional<std::string> unsound_row(const Comm& comm, const RowShare& share, const RowLimits& limits);

/// Collective. What is wrong with what a rank holds of a mesh that is yet to be refined, likewise: an element that is
/// flat or inside out, or that is to be divided more often than one it shares a node with.
std::optional<std::string> unsound_element(const Comm& comm, const MigrationRecords& held);

}  // namespace sunder::partition
