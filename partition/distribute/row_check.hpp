#pragma once
/// Checks rows read from a file. A file whose seal is intact may still have rows that point outside the file.

#include "partition/distribute/rows.hpp"

#include <optional>
#include <string>

namespace sunder::partition {

/// Bounds of the rows, from the rest of the file and from the scene.
struct RowLimits {
  Rank parts = 1;               ///< Ranks that own nodes.
  std::size_t materials = 1;    ///< Of the model.
  int most_levels = 0;          ///< Greatest number of times that an element is still to be divided.
  std::uint64_t marks = ~0ull;  ///< Bits that nodes and marked faces may have.
  bool ids_are_rows = false;    ///< The mesh is unbroken: each id from 0 to n - 1 occurs once.
};

/// Collective. Describes the first bad row, without the file's name; nothing if there is none. The text is the same on
/// any number of ranks. A row is good if its owner, material, level, marks and corners are in range, its corners
/// differ, its numbers are finite, and its id agrees with ids_are_rows.
std::optional<std::string> unsound_row(const Comm& comm, const RowSlice& slice, const RowLimits& limits);

/// Collective. The same for the elements held of a mesh that is still to be refined. An element is bad if it is flat or
/// inverted, or if it is to be divided more often than an element it shares a node with.
std::optional<std::string> unsound_element(const Comm& comm, const MigrationRecords& held);

}  // namespace sunder::partition
