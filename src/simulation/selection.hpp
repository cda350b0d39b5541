#pragma once
/// Which nodes a boundary condition holds, and on which faces a load acts.

#include "config/scene.hpp"
#include "partition/halo.hpp"

namespace sunder::simulation {

/// Local. Is the point in the box, ball and cylinder of a selection, as far as it has them?
bool inside(const config::Selection& where, const Vec3& x);

/// A selection of the scene and the path of its key.
struct Selecting {
  std::string path;
  const config::Selection* where = nullptr;
};

/// Local. Those of boundary conditions, then those of loads. Number k is bit k of the marks of nodes.
std::vector<Selecting> selections(const config::Scene& scene);

/// Collective. Of the nodes that selection k names by body and set (bit k of their marks), keeps those in its place;
/// ghosts get their owner's marks. Throws Error on every rank if a selection has no node at all.
void select_by_place(const std::vector<Selecting>& selections, const partition::Halo& halo, mesh::TetMesh& mesh);

/// Collective. Marks, with bit k for load k, the free faces whose three nodes it selects, the same on every rank that
/// holds the element; then takes the marks of loads off the nodes, which leaves those of held nodes. Throws Error on
/// every rank if a load has no face.
void select_loaded_faces(const config::Scene& scene, const partition::Halo& halo, mesh::TetMesh& mesh);

}  // namespace sunder::simulation
