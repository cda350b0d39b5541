#pragma once
/// J. Bey's division of a tetrahedron into eight (Tetrahedral grid refinement, Computing 55, 1995). docs/refinement.md.

#include "core/types.hpp"

#include <array>
#include <cstdint>

namespace sunder::partition {

/// The eight children, by corners 0 to 3 and the middles 4 to 9 of 01 02 03 12 13 23. The first four are at the
/// corners. Corners are ordered so that volumes stay positive and the diagonal of every child is again that between the
/// middles of its corners (0, 2) and (1, 3).
inline constexpr std::uint8_t bey_children[8][4] = {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3},
                                                    {4, 5, 6, 8}, {7, 5, 4, 8}, {5, 6, 8, 9}, {8, 7, 5, 9}};

/// Local. The octahedron between the corners can be divided along three diagonals. The one taken is between the middles
/// of (0, 2) and (1, 3). This is the order of the corners that makes it the best one. All children have the same volume
/// whichever diagonal is taken, so the child with the greatest sum of squared edges is the worst. The best diagonal has
/// the best worst child. Asked of the elements of the input only: their children keep the order they get.
std::array<std::size_t, 4> best_order(const std::array<Vec3, 4>& X);

/// Local. Corners and middles of the edges, in the order of bey_children.
template <class T>
std::array<T, 10> with_middles(const std::array<T, 4>& corners)
{
  std::array<T, 10> all{corners[0], corners[1], corners[2], corners[3]};
  std::size_t k = 4;
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b) all[k++] = 0.5 * (corners[a] + corners[b]);
  return all;
}

}  // namespace sunder::partition
