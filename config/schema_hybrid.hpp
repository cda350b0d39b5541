#pragma once
/// Keys of solver `hybrid`: how rigid bodies touch, and what an impact does to one. Local.

#include "config/field.hpp"

namespace sunder::config {

/// `hybrid` of a scene.
Field<Scene> hybrid_field();

/// Refuses what rigid bodies cannot have with solver hybrid, and a section `hybrid` without it or solver lattice.
void check_hybrid(const Scene& scene, const std::vector<material::Material>& materials, const Value& root);

}  // namespace sunder::config
