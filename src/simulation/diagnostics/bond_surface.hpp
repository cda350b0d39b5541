#pragma once
/// The bonds of a lattice as a frame. docs/lattice.md.

#include "io/frames/frame.hpp"
#include "lattice/breaking.hpp"
#include "simulation/state.hpp"

namespace sunder::simulation {

/// Local. The face of each bond as a triangle, on the side of the element with the smaller id. Cell data `BondForce`
/// (of the last solve, positive in compression; 0 once broken), `BondStrength` (in tension, as it is now) and `Broken`.
io::Frame bond_surface(const State& state, const lattice::Lattice& lattice, bool reference_geometry);

}  // namespace sunder::simulation
