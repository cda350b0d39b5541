#pragma once
/// How obstacles move: where their scene puts them, or as rigid bodies. Pure.

#include "contact/obstacle.hpp"
#include "core/types.hpp"

namespace sunder::contact {

/// Where an obstacle is and how fast.
struct ObstacleState {
  Vec3 position = Vec3::Zero();                                     ///< [m]
  Vec3 velocity = Vec3::Zero();                                     ///< [m/s]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< Takes the box's own axes to the world's.
  Vec3 spin = Vec3::Zero();              ///< Angular velocity, along the world's axes. [rad/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< Free: about position, along the world's axes. [kg m^2/s]
};

/// Local. State of a fixed or path obstacle at time t; the initial state of a free one.
ObstacleState prescribed_state(const Obstacle& obstacle, double t);

/// Local. From the centre to the furthest point that turning moves away: none of a sphere's surface [m].
double turning_arm(const Obstacle& obstacle);

/// Local. No point of the obstacle's surface gets nearer to anything faster than this by the obstacle's motion [m/s].
double greatest_speed(const Obstacle& obstacle, const ObstacleState& state);

/// Local. Moments of inertia of a free solid sphere or box of uniform density about its own axes [kg m^2].
Vec3 principal_inertia(const Obstacle& obstacle);

/// Local. Angular velocity of a free obstacle, of its orientation and angular momentum [rad/s].
Vec3 spin_of(const Obstacle& obstacle, const ObstacleState& state);

/// Local. Kinetic energy of a free obstacle [J].
double kinetic_energy(const Obstacle& obstacle, const ObstacleState& state);

/// Local. One step of a free obstacle, by symplectic Euler: momenta first, then position and orientation by them. The
/// orientation turns about its three axes one after the other, forth and back, each by the exact rotation (Dullweber,
/// Leimkuhler and McLachlan 1997): it stays a rotation, angular momentum stays what torque makes it, and the energy of
/// a tumbling body does not drift.
/// @param force   [N], torque about position [N m]
/// @return        work of force and torque: just what the momenta's kinetic energy gained by them [J]
double move_free(const Obstacle& obstacle, const Vec3& force, const Vec3& torque, const Vec3& gravity, double dt,
                 ObstacleState& state);

}  // namespace sunder::contact
