#pragma once
/// What a checkpoint has of rigid bodies and their contacts. Plain data.

#include "core/types.hpp"
#include "rigid/motion.hpp"

#include <cstdint>

namespace sunder::simulation {

/// As RigidBody.
struct StoredBody {
  std::int64_t fragment = 0;
  rigid::Motion motion;
  double whole_until = 0, slow_for = 0;  ///< [s]
  std::uint64_t touching = 0;
  bool asleep = false;
};

/// What a contact took in the last step.
struct StoredImpulse {
  ElementId a = 0, b = 0;  ///< b: with an obstacle its number in the scene.
  bool with_obstacle = false;
  Vec3 impulse = Vec3::Zero();  ///< [N s]
};

}  // namespace sunder::simulation
