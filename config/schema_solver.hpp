#pragma once
/// Keys that choose what advances the state, and how equations are solved.

#include "config/field.hpp"

namespace sunder::config {

/// `solver` of a scene. A bare word is `method`.
Field<Scene> solver_field();

/// Local. Throws Error where a scene asks for what its solver does not compute.
void check_solver(const Scene& scene, const Value& root);

/// `petsc` of a scene: PETSc's own options.
Field<Scene> petsc_field();

}  // namespace sunder::config
