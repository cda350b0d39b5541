#pragma once
/// The faces that fracture has made: mesh::CrackFaces. docs/fracture.md.

#include "mesh/tet_mesh.hpp"
#include "partition/halo/halo.hpp"

#include <span>

namespace sunder::fracture {

/// Collective on neighbours: one exchange. A rank that owns only the corner opposite a face holds one of the elements
/// beside it. It cannot see that a split has parted them, and is told here.
/// @param elements  slots that changed since the last call; empty ones may be among them
void share_crack_faces(mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> elements);

}  // namespace sunder::fracture
