#pragma once
/// How rigid bodies move: along the path they are given, or freely. Pure.

#include "core/types.hpp"
#include "rigid/body.hpp"

namespace sunder::rigid {

/// Where a body is and how fast.
struct State {
  Vec3 position = Vec3::Zero();                                     ///< [m]
  Vec3 velocity = Vec3::Zero();                                     ///< [m/s]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< Takes the box's own axes to the world's.
  Vec3 spin = Vec3::Zero();              ///< Angular velocity, along the world's axes. [rad/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< Free: about position, along the world's axes. [kg m^2/s]
};

/// Local. State of a fixed body, or of one on a path, at time t; the initial state of a free one.
State prescribed_state(const Body& body, double t);

/// Local. From the centre to the furthest point that turning moves away: none of a sphere's surface [m].
double turning_arm(const Body& body);

/// Local. No point of the body's surface moves faster than this along the normal there [m/s].
double greatest_speed(const Body& body, const State& state);

/// Local. Moments of inertia of a free solid sphere or box of uniform density about its own axes [kg m^2].
Vec3 principal_inertia(const Body& body);

/// Local. Angular velocity of a free body, of its orientation and angular momentum [rad/s].
Vec3 spin_of(const Body& body, const State& state);

/// Local. Kinetic energy of a free body [J].
double kinetic_energy(const Body& body, const State& state);

/// Local. One step of a free body, by symplectic Euler: momenta first, then position and orientation by them. The
/// orientation turns about its three axes one after the other, forth and back, each by the exact rotation (Dullweber,
/// Leimkuhler and McLachlan 1997): it stays a rotation, angular momentum stays what torque makes it, and the energy of
/// a tumbling body does not drift.
/// @param force   [N], torque about position [N m]
/// @return        work of force and torque: just what the momenta's kinetic energy gained by them [J]
double move_free(const Body& body, const Vec3& force, const Vec3& torque, const Vec3& gravity, double dt, State& state);

}  // namespace sunder::rigid
