#pragma once
/// Do two triangles of a surface get in each other's way? Pure geometry. Local, no allocation.

#include "core/types.hpp"

#include <array>

namespace sunder::geometry {

using Triangle = std::array<Vec3, 3>;

/// No point in common. Separating axes, in coordinates relative to the first corner; triangles nearer than 1e-14 of
/// their size are not apart. S. Gottschalk et al., OBBTree (1996).
bool apart(const Triangle& a, const Triangle& b);

/// a and b have corner 0 in common: have they another point in common? One that lies farthest from that corner along
/// their intersection is on the edge of a or of b across from it.
bool meet_beyond_corner(const Triangle& a, const Triangle& b);

/// a and b have corners 0 and 1 in common: do they lie on each other, to an angle of 1e-9?
bool folded(const Triangle& a, const Triangle& b);

}  // namespace sunder::geometry
