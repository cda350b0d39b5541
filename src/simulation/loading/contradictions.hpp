#pragma once
/// Boundary conditions that ask for unlike motions of one node. docs/loads.md.

#include "config/scene.hpp"
#include "core/comm.hpp"
#include "mesh/tet_mesh.hpp"

#include <span>

namespace sunder::simulation {

/// Collective on comm. For solvers that look for a balance under all conditions at once: throws Error (bad_input) on
/// every rank if two conditions hold the same axis of a node at the same time and move it unlike, before time end [s].
void refuse_contradictions(const Comm& comm, std::span<const config::BoundaryCondition> conditions,
                           const mesh::TetMesh& mesh, double end);

}  // namespace sunder::simulation
