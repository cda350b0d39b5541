#pragma once
/// A grid of cubic cells for every power of two. Each box has the level whose cells are about as large as the box, so
/// it is in eight cells of that level at most.

#include "core/comm.hpp"
#include "geometry/box.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace sunder::contact {

/// A cube of side 2^level m, number `at` along each axis.
struct Cell {
  int level = 0;
  std::array<std::int64_t, 3> at{};
  auto operator<=>(const Cell&) const = default;
};

/// Local. The cell of a level that contains x. An infinite coordinate counts as the greatest double. The level must be
/// that of a box that contains x, by level_of(), or a coarser one.
Cell cell_at(const Vec3& x, int level);

/// Local. The least level whose cells are at least as long as the box's longest side, and at which the numbers of the
/// box's cells stay below 2^51. Between lowest_level and highest_level.
int level_of(const geometry::Box& box);
inline constexpr int lowest_level = -1074, highest_level = 1024;

/// Local. A hash of the block of two by two by two cells that the cell is in. Cells of one block have the same hash, so
/// boxes that are near each other mostly go to the same rank.
std::uint64_t block_hash(const Cell& cell);

/// Local. Does the box contain a point? The empty box does not, nor does a box with a bound that is not a number. Such
/// boxes meet nothing.
bool holds_points(const geometry::Box& box);

/// The set of levels that boxes of any rank have.
class Levels {
public:
  /// Collective: one reduction.
  Levels(const Comm& comm, std::span<const geometry::Box> mine);

  /// Local. Calls visit(cell, at_home) for the cells that a box is in: of the box's own level, where it is at home, and
  /// of all coarser levels in this set. So two boxes that meet have a cell in common in which one of them is at home.
  template <class Visit>
  void each_cell(const geometry::Box& box, Visit&& visit) const
  {
    if (!holds_points(box)) return;
    const int own = level_of(box);
    for (int level = next(own); level <= highest_level; level = next(level + 1)) {
      const Cell low = cell_at(box.low, level), high = cell_at(box.high, level);
      for (std::int64_t i = low.at[0]; i <= high.at[0]; ++i)
        for (std::int64_t j = low.at[1]; j <= high.at[1]; ++j)
          for (std::int64_t k = low.at[2]; k <= high.at[2]; ++k) visit(Cell{level, {i, j, k}}, level == own);
    }
  }

private:
  int next(int level) const;  // first level of the set that is not below this one; beyond highest_level if none

  static constexpr std::size_t words = (highest_level - lowest_level) / 64 + 1;
  std::array<std::uint64_t, words> occur_{};  // bit level - lowest_level
};

}  // namespace sunder::contact
