#pragma once
/// Is the star of a node in one piece? The invariant of every mesh here. docs/remeshing.md.

#include "mesh/tet_mesh.hpp"

namespace sunder::mesh {

/// Local. The elements around n grouped by connection through shared faces that contain n; each group ascending, groups
/// ordered by their smallest element id. n must be owned, else the star is not whole.
std::vector<std::vector<LocalIndex>> star_components(const TetMesh& mesh, LocalIndex n);

/// Local. Corner pairs (the two nodes besides n) of the faces around n that only one element has: n's free surface.
std::vector<std::array<LocalIndex, 2>> free_faces_around(const TetMesh& mesh, LocalIndex n);

}  // namespace sunder::mesh
