#pragma once
/// The ranks that hold an element or a face: those that own one of its nodes.

#include "core/types.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace sunder::partition {

/// The ranks that own a corner, each once, ascending.
class Holders {
public:
  /// Local. owners: of the corners.
  template <std::size_t corners>
  explicit Holders(std::array<Rank, corners> owners)
  {
    static_assert(corners <= 4);
    std::sort(owners.begin(), owners.end());
    count_ = static_cast<std::size_t>(std::unique(owners.begin(), owners.end()) - owners.begin());
    std::copy_n(owners.begin(), count_, ranks_.begin());
  }
  const Rank* begin() const noexcept { return ranks_.data(); }
  const Rank* end() const noexcept { return ranks_.data() + count_; }
  bool contains(Rank r) const { return std::find(begin(), end(), r) != end(); }

private:
  std::array<Rank, 4> ranks_{};
  std::size_t count_ = 0;
};

/// An entry of some list, and a rank that holds it.
struct Held {
  Rank rank = 0;
  GlobalIndex index = 0;
};

/// Local. For each of `count` entries the ranks that hold it; ascending by rank, then by index. owners_of(index)
/// returns the owners of the entry's corners, as an array. One walk over the entries.
template <class OwnersOf>
std::vector<Held> held_by_rank(std::size_t count, const OwnersOf& owners_of)
{
  std::vector<Held> held;
  for (std::size_t i = 0; i < count; ++i)
    for (const Rank r : Holders(owners_of(i))) held.push_back({r, static_cast<GlobalIndex>(i)});
  std::sort(held.begin(), held.end(),
            [](const Held& a, const Held& b) { return a.rank != b.rank ? a.rank < b.rank : a.index < b.index; });
  return held;
}

/// Local. The owners of the corners `nodes`. owners: (nodes).
template <class Index, std::size_t corners>
std::array<Rank, corners> owners_of(const std::array<Index, corners>& nodes, std::span<const Rank> owners)
{
  std::array<Rank, corners> result;
  for (std::size_t a = 0; a < corners; ++a) result[a] = owners[static_cast<std::size_t>(nodes[a])];
  return result;
}

/// Local. The entries that one rank holds, of what held_by_rank() returned.
inline std::span<const Held> of_rank(std::span<const Held> held, Rank rank)
{
  const auto [first, last] = std::equal_range(held.begin(), held.end(), Held{rank, 0},
                                              [](const Held& a, const Held& b) { return a.rank < b.rank; });
  return {first, last};
}

}  // namespace sunder::partition
