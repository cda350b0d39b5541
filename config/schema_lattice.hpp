#pragma once
/// Keys of solver `lattice`: impacts, strengths of bonds, how cracks grow.

#include "config/field.hpp"

namespace sunder::config {

/// `lattice` of a scene.
Field<Scene> lattice_field();

/// Local. Throws Error where a scene with this solver lacks what it needs or asks for what it does not compute, and
/// where one without it has a section `lattice`.
void check_lattice(const Scene& scene, const Value& root);

}  // namespace sunder::config
