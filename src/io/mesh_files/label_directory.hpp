#pragma once
/// Which row of a file a node's number in the file means, known by all ranks together.

#include "core/comm.hpp"
#include "core/types.hpp"

#include <optional>
#include <span>
#include <vector>

namespace sunder::io {

/// Files number nodes as they like. Where the numbers go on from the first by one, as most do, nothing is stored;
/// otherwise each number is known to the rank that its hash says.
class LabelDirectory {
public:
  struct Entry {
    std::uint64_t label = 0;
    GlobalIndex row = 0;
    auto operator<=>(const Entry&) const = default;
  };

  /// Collective. labels: of the rows [first_row, first_row + labels.size()) that this rank has.
  LabelDirectory(const Comm& comm, GlobalIndex first_row, std::span<const std::uint64_t> labels);

  /// The smallest number that two rows have, the same on every rank.
  const std::optional<std::uint64_t>& twice() const noexcept { return twice_; }

  /// Collective. Rows of these numbers (ascending, each once); -1 for one that no row has.
  std::vector<GlobalIndex> rows(std::span<const std::uint64_t> labels) const;

private:
  GlobalIndex row_here(std::uint64_t label) const;

  Comm comm_;
  GlobalIndex all_rows_ = 0;
  std::uint64_t first_label_ = 0;
  bool consecutive_ = false;
  std::vector<Entry> known_;  // ascending: those whose hash says this rank
  std::optional<std::uint64_t> twice_;
};

}  // namespace sunder::io
