#pragma once
/// Fragments so small that they are not worth everybody's step: they get mass. docs/fracture.md.

#include "simulation/state.hpp"
#include "simulation/stepping/step_control.hpp"

#include <span>

namespace sunder::simulation {

/// Local. Is an element of these (slots) that this rank counts of dust, and has a cut left it with too little mass?
bool lacks_mass(const State& state, const StepControl& control, std::span<const LocalIndex> elements);

/// Collective, when something has come off or an element lacks mass. A fragment of less volume at rest than a cube of
/// edge `size` [m], of which no node belongs to a boundary condition, is dust for good. All its elements get the same
/// factor of mass, the least power of two with which each allows the step of the unbroken mesh. Nodes keep their
/// momentum: velocities are divided by what masses are multiplied by. The kinetic energy that is lost goes to the
/// ledger's numerical work. Returns whether some fragment got mass. The same on any number of ranks. Warns if dust has
/// more than a hundredth of all mass by this.
bool add_mass_to_dust(State& state, const StepControl& control, double size, const Vec3& gravity);

}  // namespace sunder::simulation
