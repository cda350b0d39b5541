#pragma once
/// Contacts of elements of two bodies, and the few places that stand for all of them.

#include "simulation/hybrid/body_contacts.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Where two bodies touch: of contacts close to each other taken as one.
struct TouchPlace {
  Vec3 at = Vec3::Zero();             ///< Centre of their volume [m].
  Vec3 normal = Vec3::Zero();         ///< Out of b: unit.
  double depth = 0;                   ///< [m]
  std::size_t lead = 0;               ///< The deepest of the contacts, after which it is named.
  std::vector<std::size_t> contacts;  ///< All of them.
};

/// Where two bodies touch with about one normal. Two flat faces overlap in as many places as they have elements; four
/// places as far apart as possible bear the same forces and torques.
struct Manifold {
  std::vector<std::size_t> contacts;  ///< All of it.
  std::vector<TouchPlace> places;     ///< At most four.
};

/// Local, pure. Positions in the list are those of `contacts`, which ascend by bodies.
///
/// Of two bodies, contacts of elements within `reach` [m] of a deeper one are one with it. Its normal is that of the
/// sum of their areas, along which the volume of overlap falls fastest: in the sum the faces between elements of one
/// body cancel, which make the normals of single pairs oblique. Of a manifold the deepest place is chosen first, then
/// the farthest from it, then those farthest from both on either side.
std::vector<Manifold> manifolds(std::span<const BodyContact> contacts, double reach);

}  // namespace sunder::simulation
