#pragma once
/// How strong bonds are: by the shape of their elements, and by functions of where they are.

#include "lattice/bonds.hpp"
#include "lattice/options.hpp"

#include <span>
#include <vector>

namespace sunder::lattice {

/// Local. Turbulence at x, in [0, 1].
double turbulence(const Noise& noise, const Vec3& x);

/// Local. The product of all factors at a place of the material.
double strength_factor(std::span<const StrengthFactor> factors, const Vec3& X);

/// Collective on comm: two reductions. (owned) tensile strength of each bond [N]. Throws Error (bad_input) on every
/// rank if one is not positive or not finite, with its elements and its place.
/// @param volumes  (slots) of elements held [m^3]
/// @param counted  (slots) not 0: this rank counts the element
std::vector<double> bond_strengths(const Comm& comm, const Bonds& bonds, std::span<const double> volumes,
                                   std::span<const char> counted, const StrengthOptions& options);

}  // namespace sunder::lattice
