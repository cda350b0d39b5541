#pragma once
/// The contact force between two surfaces that overlap, T 5.3. Pure.

#include "contact/law/response_constants.hpp"
#include "core/types.hpp"

namespace sunder::contact {

/// Local. Force [N] on the first of two surfaces, at the centre of their overlap:
///   normal    n vol max(0, k_err - k_dmp w.n): T 5.7 and 5.9, never pulling;
///   friction  -mu(|w_t|) |normal| w_t/|w_t|, w_t the component of w across n: Coulomb's law with the normal
///             force above (T 5.10 prints a force that grows with speed instead). It is regularised: mu rises linearly
///             from 0 to friction_static at slip_speed, then changes linearly to friction_dynamic at twice slip_speed.
/// @param volume    of the overlap [m^3]
/// @param normal    n, out of the second surface; unit, or shorter where no direction is better than another
/// @param relative  w, velocity of the first surface relative to the second at the overlap's centre [m/s]
Vec3 response(const Response& r, double volume, const Vec3& normal, const Vec3& relative);

/// Local. The friction coefficient over the speed, at which it has a limit at rest [s/m]: friction is -this |normal
/// force| w_t.
double friction_slope(const Response& r, double speed);

/// Local. The change of response() with the changes of normal and relative, to first order; the volume stays. It is the
/// one-sided derivative where response() has a kink: where it would begin to pull, and at slip_speed and twice that.
Vec3 response_change(const Response& r, double volume, const Vec3& normal, const Vec3& relative,
                     const Vec3& normal_change, const Vec3& relative_change);

/// Local. The semidefinite part of minus the change of response() with the motion of the overlap's centre [N/m]: the
/// spring and the damper along the normal, the friction across it.
/// @param area  by which the overlap grows with depth [m^2]
/// @param rate  how much velocities change with positions [1/s]
Mat3 semidefinite_stiffness(const Response& r, double area, double volume, const Vec3& normal, const Vec3& relative,
                            double rate);

}  // namespace sunder::contact
