#pragma once
/// Space divided into cells of every power of two: each box has a level of its own, where it is in eight cells at most.

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

/// Local. The cell of a level that x is in. Coordinates beyond doubles count as the greatest double; the level must be
/// one that level_of() gives a box with x in it, or a coarser one.
Cell cell_at(const Vec3& x, int level);

/// Local. The least level whose cells are as long as the box's longest side, and whose numbers along an axis stay below
/// 2^51 there. From lowest_level to highest_level.
int level_of(const geometry::Box& box);
inline constexpr int lowest_level = -1074, highest_level = 1024;

/// Local. The same for the cells of a block of two by two by two: what is near goes the same way.
std::uint64_t block_hash(const Cell& cell);

/// Local. Does the box hold a point? Those that do not (the empty one, and what has no number for a bound) meet
/// nothing.
bool holds_points(const geometry::Box& box);

/// The levels that boxes of any rank have.
class Levels {
public:
  /// Collective.
  Levels(const Comm& comm, std::span<const geometry::Box> mine);

  /// Local. Calls visit(cell, at_home) for the cells a box is in: those of its own level, where it is at home, and
  /// those of coarser levels where some box is. So two boxes that meet have a cell in common, and one of them is at
  /// home in it.
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
  int next(int level) const;  // from this one on; beyond highest_level if there is none

  static constexpr std::size_t words = (highest_level - lowest_level) / 64 + 1;
  std::array<std::uint64_t, words> occur_{};  // bit level - lowest_level
};

}  // namespace sunder::contact
