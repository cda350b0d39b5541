#pragma once
/// Which nodes a boundary condition holds.

#include "config/scene.hpp"
#include "partition/halo.hpp"

namespace sunder::simulation {

/// Local. Is the point in the box, ball and cylinder of a selection, as far as it has them?
bool inside(const config::Selection& where, const Vec3& x);

/// Collective. Of the nodes that condition k names by body and set (bit k of their marks), keeps those in its place;
/// ghosts get their owner's marks. Throws Error on every rank if a condition has no node at all.
void select_by_place(const std::vector<config::BoundaryCondition>& conditions, const partition::Halo& halo,
                     mesh::TetMesh& mesh);

}  // namespace sunder::simulation
