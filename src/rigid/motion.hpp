#pragma once
/// Motion of rigid bodies: on a given path, or free. Pure.

#include "core/types.hpp"
#include "rigid/body.hpp"

namespace sunder::rigid {

/// Position and motion of a body at one time.
struct Motion {
  Vec3 position = Vec3::Zero();                                     ///< [m]
  Vec3 velocity = Vec3::Zero();                                     ///< [m/s]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< Takes its own axes to the world's.
  Vec3 spin = Vec3::Zero();              ///< Angular velocity, along the world's axes. [rad/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< Free: about position, along the world's axes. [kg m^2/s]
};

/// Mass of a rigid body, and how it is spread out.
struct Inertia {
  double mass = 0;               ///< [kg]
  Vec3 moments = Vec3::Zero();   ///< Principal moments about the centre of mass [kg m^2].
  Mat3 axes = Mat3::Identity();  ///< Principal axes, columns, in the body's own axes.
};

/// Local. Angular velocity of a body, of its orientation and angular momentum [rad/s].
Vec3 spin_of(const Inertia& inertia, const Motion& motion);

/// Local. Inverse of the inertia tensor along the world's axes [1/(kg m^2)].
Mat3 inverse_inertia(const Inertia& inertia, const Motion& motion);

/// Local. Kinetic energy of a body with this motion [J].
double kinetic_energy(const Inertia& inertia, const Motion& motion);

/// Local. Moves a body with the momenta it has for dt [s]. The orientation is turned about the body's three principal
/// axes one after the other, forth and back, each time by an exact rotation (Dullweber, Leimkuhler and McLachlan 1997).
/// So it stays a rotation, and the energy of a tumbling body does not drift.
void drift(const Inertia& inertia, double dt, Motion& motion);

/// Local. Turns a body by a rotation vector along the world's axes [rad]; its momenta stay.
void turn(const Vec3& rotation, Motion& motion);

/// Local. The centre of the body at the start [m]: of mass, of a mesh.
Vec3 centre_at_start(const Body& body);

/// Local. Motion at time t [s] of a fixed body or of one on a path. For a free body the initial motion, whatever t is.
Motion motion_at(const Body& body, double t);

/// Local. How far turning the body by a radian displaces its surface, at most [m]: half the diagonal of a box, 0 for a
/// sphere. Turning about the axis of a cylinder or a capsule displaces nothing.
double turning_arm(const Body& body);

/// Local. The angle between two orientations of the body, as far as they look different [rad].
double angle_between(const Body& body, const Motion& a, const Motion& b);

/// Local. An upper bound of the speed of any point of the surface along its normal [m/s].
double greatest_speed(const Body& body, const Motion& motion);

/// Local. Moments of inertia of a free solid body of uniform density about its own axes [kg m^2].
Vec3 principal_inertia(const Body& body);

/// Local. Of a free body.
inline Inertia inertia_of(const Body& body)
{
  return {body.mass, principal_inertia(body)};
}

/// Local. Angular velocity of a free body, of its orientation and angular momentum [rad/s].
Vec3 spin_of(const Body& body, const Motion& motion);

/// Local. Kinetic energy of a free body [J].
double kinetic_energy(const Body& body, const Motion& motion);

/// Local. Gives a free body momentum for dt [s], where it is.
/// @param force   [N]
/// @param torque  about motion.position [N m]
/// @return        work of force and torque: exactly what the kinetic energy gains by them [J]
double kick_free(const Body& body, const Vec3& force, const Vec3& torque, const Vec3& gravity, double dt,
                 Motion& motion);

/// Local. drift() of a free body.
void drift_free(const Body& body, double dt, Motion& motion);

/// Local. One step of a free body by symplectic Euler: kick_free(), whose work it returns, then drift_free().
double move_free(const Body& body, const Vec3& force, const Vec3& torque, const Vec3& gravity, double dt,
                 Motion& motion);

}  // namespace sunder::rigid
