#pragma once
/// Keys of boundary conditions: nodes with a given motion, and loads on the surface. Local.

#include "config/field.hpp"

namespace sunder::config {

/// `boundary` of a scene.
Field<Scene> boundary_field();

/// `loads` of a scene.
Field<Scene> loads_field();

}  // namespace sunder::config
