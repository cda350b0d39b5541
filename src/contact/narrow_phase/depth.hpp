#pragma once
/// How deep a point is in something.

#include "core/types.hpp"

namespace sunder::contact {

struct Depth {
  double metres = 0;           ///< To the nearest point of its surface; not positive outside.
  Vec3 normal = Vec3::Zero();  ///< Out of it there; zero in the very centre of a sphere.
};

}  // namespace sunder::contact
