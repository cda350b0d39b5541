#pragma once
/// Keys of obstacles and of contact. Local.

#include "config/field.hpp"
#include "config/scene.hpp"

namespace sunder::config {

/// One of `obstacles` of a scene.
Table<contact::Obstacle> obstacle_table();

/// `collisions` of a scene.
Table<CollisionOptions> collision_table();

}  // namespace sunder::config
