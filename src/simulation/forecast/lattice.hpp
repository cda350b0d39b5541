#pragma once
/// Nodes of a refined mesh in one edge, face or element of the coarse one, and which of them are in a place. After k
/// divisions they are the points whose barycentric coordinates are whole multiples of 1 / 2^k, whatever the diagonals.
/// Local.

#include "config/scene.hpp"
#include "core/types.hpp"
#include "simulation/forecast/refined_side.hpp"

#include <limits>
#include <span>

namespace sunder::simulation {

/// The place of a selection: where inside() says so and, where it has a side, above its plane: normal . (x - point) is
/// greater than a height, which minus infinity leaves out. Convex.
struct Place {
  const config::Selection& where;
  double height = -std::numeric_limits<double>::infinity();

  bool has(const Vec3& x) const;
};

/// How many rows of points may still be looked at one by one.
struct RowBudget {
  std::int64_t left = 0;
  bool exhausted = false;  ///< Something was not counted for want of rows.
};

/// Points strictly inside the simplex of 2 to 4 corners, n of them from corner to corner, that are in the place. Up to
/// round-off at its border.
GlobalIndex inner_points(const Place& place, std::span<const Vec3> corners, GlobalIndex n, RowBudget& budget);

/// Of the n^2 triangles of a face, those with all three corners in the place. Of a side, upright and inverted ones have
/// heights of their own, of points of the face (refined_side.hpp), and the place has none.
GlobalIndex inner_triangles(const config::Selection& where, const std::array<Vec3, 3>& corners, GlobalIndex n,
                            const TriangleHeights& heights, RowBudget& budget);

/// Surely no point of the simplex of these corners is in the place; false says nothing.
bool misses(const Place& place, std::span<const Vec3> corners);

}  // namespace sunder::simulation
