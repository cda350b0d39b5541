#pragma once
/// Who solves the linear systems of a scene.

#include "config/scene.hpp"

namespace sunder::config {

/// Local. Does PETSc? If not, they are solved reproducibly: where fracture is enabled, unless the scene says otherwise,
/// and along paths of equilibria, whose tangents may be indefinite.
inline bool leaves_solves_to_petsc(const Scene& scene)
{
  const LoadControl control = scene.solver.load_control;
  if (control == LoadControl::arc_length || control == LoadControl::dissipation) return false;
  const Reproducible wanted = scene.solver.reproducible;
  return wanted == Reproducible::no || (wanted == Reproducible::automatic && !scene.fracture.enabled);
}

}  // namespace sunder::config
