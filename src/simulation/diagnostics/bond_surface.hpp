#pragma once
/// The bonds of a lattice as a frame. docs/lattice.md.

#include "io/frames/frame.hpp"
#include "simulation/state.hpp"

namespace sunder::simulation {

/// Local. The face of each bond that a lattice has had, as a triangle on the side of the element with the smaller id;
/// those of this rank's primary elements. Cell data `BondForce`
/// (of the last solve, positive in compression; 0 once broken), `BondStrength` (in tension, as it is now) and `Broken`.
io::Frame bond_surface(const State& state, bool reference_geometry);

}  // namespace sunder::simulation
