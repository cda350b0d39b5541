#pragma once
/// Nodes of a refined mesh in one edge, face or element of the coarse one, and which of them are in a place. After k
/// divisions they are the points whose barycentric coordinates are whole multiples of 1 / 2^k, whatever the diagonals.
/// Local.

#include "config/scene.hpp"
#include "core/types.hpp"

#include <span>

namespace sunder::simulation {

/// How many rows of points may still be looked at one by one.
struct RowBudget {
  std::int64_t left = 0;
  bool exhausted = false;  ///< Something was not counted for want of rows.
};

/// Points strictly inside the simplex of 2 to 4 corners, n of them from corner to corner, that are in the place of a
/// selection (inside()). Up to round-off at its border.
GlobalIndex inner_points(const config::Selection& where, std::span<const Vec3> corners, GlobalIndex n,
                         RowBudget& budget);

/// Of the n^2 triangles of a face, those with all three corners in the place.
GlobalIndex inner_triangles(const config::Selection& where, const std::array<Vec3, 3>& corners, GlobalIndex n,
                            RowBudget& budget);

}  // namespace sunder::simulation
