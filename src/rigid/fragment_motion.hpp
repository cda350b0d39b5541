#pragma once
/// The rigid motion that fits the motion of a fragment's elements best.

#include "core/comm.hpp"
#include "core/types.hpp"

#include <map>
#include <span>

namespace sunder::rigid {

/// Part of a fragment's mass, or of its momentum: an element, or what a force has given one.
struct Contribution {
  std::int64_t fragment = 0;
  double mass = 0;               ///< [kg]
  Vec3 at = Vec3::Zero();        ///< [m]
  Vec3 momentum = Vec3::Zero();  ///< At that place [kg m/s].
};

struct FragmentMotion {
  double mass = 0;                       ///< [kg]
  Vec3 center = Vec3::Zero();            ///< Of mass [m].
  Vec3 velocity = Vec3::Zero();          ///< Of the centre [m/s].
  Vec3 spin = Vec3::Zero();              ///< [rad/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< Of the spin, about the centre [kg m^2/s].
  Mat3 inertia = Mat3::Zero();           ///< About the centre [kg m^2].

  Vec3 velocity_at(const Vec3& x) const { return velocity + spin.cross(x - center); }  ///< Local.
};

/// Local. The spin that an angular momentum means; of least norm where the inertia is that of points on a line or in
/// one place.
Vec3 spin_of(const Mat3& inertia, const Vec3& angular_momentum);

/// Collective on comm. The velocity and spin that differ least from the velocities of the elements, weighted by their
/// masses. They keep momentum, and angular momentum where the fragment's points do not lie on a line; about a line that
/// they do lie on the spin is 0, and that of a single point is 0.
///
/// Sums are exact, so the same bits on any number of ranks. Of a fragment that several ranks contribute to, sums travel
/// to a home rank (core/combining_exchange.hpp); others are found alone.
/// @param contributions  of this rank, in any order; each part of mass or momentum by one rank alone
/// @param shared         fragments of this rank that other ranks may hold something of, ascending
/// @param origin         about which moments are summed; the same on every rank, near the bodies [m]
/// @return               for each fragment among contributions or shared
std::map<std::int64_t, FragmentMotion> fit_fragments(const Comm& comm, std::span<const Contribution> contributions,
                                                     std::span<const std::int64_t> shared, const Vec3& origin);

}  // namespace sunder::rigid
