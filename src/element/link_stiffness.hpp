#pragma once
/// How the force of a link changes with its opening: what Newton's method needs.

#include "core/tangent_options.hpp"
#include "element/cohesive_link.hpp"

namespace sunder::element {

/// Minus the derivative of CohesiveLink::pull()'s force with the opening, both along the axes of the crack [N/m].
/// Symmetric, as the force has a potential while the link either opens farther than ever or goes back along its secant.
/// At the greatest opening so far it is that of the way back, unless it softens. positive_definite: the secant also
/// where the link softens.
/// @param softens  as if it opened farther than ever
Mat3 link_stiffness(const CohesiveLink& link, const Vec3& opening, TangentKind kind, bool softens = false);

}  // namespace sunder::element
