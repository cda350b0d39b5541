#pragma once
/// What bodies run into, and how contact answers.

#include "config/field.hpp"
#include "config/scene.hpp"

namespace sunder::config {

/// One of `obstacles` of a scene.
Table<contact::Obstacle> obstacle_table();

/// `collisions` of a scene.
Table<CollisionOptions> collision_table();

}  // namespace sunder::config
