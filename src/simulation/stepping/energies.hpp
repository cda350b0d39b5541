#pragma once
/// Energies and speeds that are read off the state. Local, all of it: this rank's contribution.

#include "simulation/loading/prescribed_motion.hpp"
#include "simulation/state.hpp"

namespace sunder::simulation {

/// [J] Of bodies and free obstacles. Velocities are brought to the time of the positions, which is `lag` [s] later, by
/// the current forces; axes that are held keep theirs.
double kinetic_energy(const State& state, const PrescribedMotion& prescribed, const Vec3& gravity, double lag);

/// [J] Of free obstacles, all of them: the same on every rank.
double kinetic_energy_of_obstacles(const State& state);

/// [J] m g . p of bodies and free obstacles: minus the potential energy.
double potential_of_gravity(const State& state, const Vec3& gravity);

/// [m/s] Of the nodes held. Nodes without elements do not count: ranks have different ones, which stay as they were.
double greatest_speed(const element::Model& model);

}  // namespace sunder::simulation
