#pragma once
/// Contact of rigid bodies by impulses: restitution and Coulomb friction. Pure; every sum is in the order of the lists.

#include "core/types.hpp"

#include <span>

namespace sunder::rigid {

/// A body as impulses see it. One that cannot be moved has inverse_mass 0 and inverse_inertia 0.
struct Movable {
  double inverse_mass = 0;              ///< [1/kg]
  Mat3 inverse_inertia = Mat3::Zero();  ///< Along the world's axes [1/(kg m^2)].
  Vec3 center = Vec3::Zero();           ///< [m]
  Vec3 velocity = Vec3::Zero();         ///< Of the centre [m/s].
  Vec3 spin = Vec3::Zero();             ///< [rad/s]

  bool stands() const { return velocity.isZero(0) && spin.isZero(0); }                 ///< Local.
  Vec3 velocity_at(const Vec3& x) const { return velocity + spin.cross(x - center); }  ///< Local.
};

/// Local. Kinetic energy of those that can be moved [J].
double kinetic_energy(std::span<const Movable> bodies);

/// A place where body a touches body b.
struct ContactPoint {
  int a = 0, b = 0;             ///< Positions in the list of bodies.
  Vec3 at = Vec3::Zero();       ///< [m]
  Vec3 normal = Vec3::UnitZ();  ///< Out of b: unit.
  double depth = 0;             ///< How deep the two overlap there [m].
  double friction = 0;          ///< Coulomb's coefficient [-].
  double restitution = 0;       ///< e: share of the approach speed with which the two part [-].
  double approach = 0;          ///< Speed of approach before the step; below 0 the two part [m/s].
  Vec3 impulse = Vec3::Zero();  ///< On a [N s]. In: where to begin. Out: what it took.
};

struct ImpulseOptions {
  int max_sweeps = 200;
  double tolerance = 1e-4;     ///< Greatest change of a velocity in a sweep [m/s] at which the answer is good enough.
  double resting_speed = 0.1;  ///< Approach below it is not thrown back [m/s].
};

/// Local. Impulses with which no contact approaches: for each, the velocity along the normal becomes e times the
/// approach speed or more, the normal impulse is not negative, and one of the two is zero; friction ends sliding, or is
/// as large as Coulomb's law allows and against the sliding. Found by sweeps over contacts, up and down the list by
/// turns, each of which gives one contact after the other the impulse it lacks (projected Gauss-Seidel). Updates bodies
/// and impulses. Returns the number of sweeps.
int solve_impulses(std::span<Movable> bodies, std::span<ContactPoint> contacts, const ImpulseOptions& options);

/// Local. Pushes bodies apart that overlap by more than `slop` [m]: gives each a velocity for one step of dt [s] that
/// takes away `share` of the rest. It moves bodies and is then forgotten, so it gives them no energy.
/// @param push  (bodies) out: velocity and spin, beside those that bodies have
void find_pushes(std::span<const Movable> bodies, std::span<const ContactPoint> contacts, double slop, double share,
                 double dt, const ImpulseOptions& options, std::span<Movable> push);

}  // namespace sunder::rigid
