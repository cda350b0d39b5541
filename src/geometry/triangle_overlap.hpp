#pragma once
/// Do two triangles of a surface intersect? Pure geometry. Local, no allocation.

#include "core/types.hpp"

#include <array>

namespace sunder::geometry {

using Triangle = std::array<Vec3, 3>;

/// True if they have no point in common. By separating axes, in coordinates relative to the first corner. Triangles
/// nearer than 1e-14 of their size are not apart. S. Gottschalk et al., OBBTree (1996).
bool apart(const Triangle& a, const Triangle& b);

/// a and b share corner 0. Do they share another point? If so, the shared point that is farthest from the corner is on
/// the edge of a or of b opposite the corner, so only these two edges are tested.
bool meet_beyond_corner(const Triangle& a, const Triangle& b);

/// a and b share corners 0 and 1. Do they lie on each other, up to an angle of 1e-9?
bool folded(const Triangle& a, const Triangle& b);

}  // namespace sunder::geometry
