#pragma once
/// How deep a point is in something. Plain data.

#include "core/types.hpp"

namespace sunder::contact {

struct Depth {
  double metres = 0;           ///< Distance to the nearest point of the surface; not positive outside [m].
  Vec3 normal = Vec3::Zero();  ///< Outward unit normal there; zero in the exact centre of a sphere.
};

}  // namespace sunder::contact
