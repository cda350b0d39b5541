#pragma once
/// The faces of elements that fracture has made. Local.

#include "mesh/tet_mesh.hpp"

#include <array>

namespace sunder::simulation {

struct CrackFace {
  LocalIndex element;
  std::array<LocalIndex, 3> nodes;  ///< Anticlockwise seen from outside.
  double birth;                     ///< [s]
};

/// visit(CrackFace), of each element held in turn. Each place of a crack has two, one a side. O(elements held).
template <class Visit>
void visit_crack_faces(const mesh::TetMesh& mesh, Visit&& visit)
{
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    const mesh::CrackFaces& cracks = mesh.faces(e).cracks;
    if (cracks.made == 0 || !mesh.alive(e)) continue;
    for (std::size_t face = 0; face < 4; ++face) {
      if (!cracks.contain(face)) continue;
      const auto& [a, b, c] = mesh::face_corners[face];
      const Tet& tet = mesh.tet(e);
      visit(CrackFace{e, {tet[a], tet[b], tet[c]}, cracks.birth[face]});
    }
  }
}

}  // namespace sunder::simulation
