#pragma once
/// Energies and speeds that are read off the state. Local, all of it: this rank's contribution.

#include "simulation/loading/prescribed_motion.hpp"
#include "simulation/state.hpp"

namespace sunder::simulation {

/// [J] Of bodies and free obstacles. Positions are `lag` [s] later than velocities: it is half the product of the mass
/// and the velocities `lag` before and after them, the latter by the current forces; axes that are held keep theirs. Of
/// all measures it is the one that central differences keep: with the elastic energy it is constant, however short an
/// oscillation is beside the step. With the velocity halfway between the two it is greater by (lag f)^2 / 2m.
double kinetic_energy(const State& state, const PrescribedMotion& prescribed, const Vec3& gravity, double lag);

/// [J] Of free obstacles, all of them: the same on every rank.
double kinetic_energy_of_obstacles(const State& state);

/// [J] m g . p of bodies and free obstacles: minus the potential energy.
double potential_of_gravity(const State& state, const Vec3& gravity);

/// [m/s] Of the nodes held. Nodes without elements do not count: ranks have different ones, which stay as they were.
double greatest_speed(const element::Model& model);

}  // namespace sunder::simulation
