#pragma once
/// Who solves the linear systems of a scene.

#include "config/scene.hpp"

namespace sunder::config {

/// Local. Does PETSc? If not, they are solved reproducibly.
inline bool leaves_solves_to_petsc(const Scene& scene)
{
  const Reproducible wanted = scene.solver.reproducible;
  return wanted == Reproducible::no || (wanted == Reproducible::automatic && !scene.fracture.enabled);
}

}  // namespace sunder::config
