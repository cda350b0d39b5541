#pragma once
/// Bonds at the rim of a crack are weaker: what makes cracks grow rather than begin anew.

#include "lattice/bonds.hpp"
#include "lattice/options.hpp"

#include <span>

namespace sunder::lattice {

/// Local. The value of a curve, linear between its points and constant outside. Points ascend; there is one at least.
double curve_value(std::span<const CurvePoint> curve, double at);

/// Local. What the strength of a bond is multiplied by, at an angle theta in [0, pi/2] to one that has just broken.
double growth_factor(const CrackGrowth& growth, double theta);

/// Local. Multiplies the strength of each owned bond that holds by growth_factor() for each bond, in the order of keys,
/// that has just broken and whose face shares an edge with its face.
/// @param broken     (local)
/// @param just_now   (local) those of them that have just broken
/// @param strengths  (owned)
void weaken(const Bonds& bonds, std::span<const char> broken, std::span<const char> just_now, const CrackGrowth& growth,
            std::span<double> strengths);

}  // namespace sunder::lattice
