#pragma once
/// The components of a node's star. In a sound mesh every star has one. docs/remeshing.md.

#include "mesh/tet_mesh.hpp"

#include <functional>

namespace sunder::mesh {

/// Local. Groups the elements around n: two are in one group if they are connected through shared faces that contain n.
/// Each group ascends; groups are ordered by their smallest element id. n must be owned, else the star is not whole.
std::vector<std::vector<LocalIndex>> star_components(const TetMesh& mesh, LocalIndex n);

/// Local. Likewise, but through those shared faces alone whose elements joined(e, f) says hold together.
std::vector<std::vector<LocalIndex>> star_components(const TetMesh& mesh, LocalIndex n,
                                                     const std::function<bool(LocalIndex, LocalIndex)>& joined);

struct FreeFace {
  LocalIndex element = 0;
  std::size_t face = 0;  ///< Opposite this corner of the element.
};

/// Local. The free faces around n, which only one element has, in the order of the star: the same on every rank.
std::vector<FreeFace> free_faces_around(const TetMesh& mesh, LocalIndex n);

}  // namespace sunder::mesh
