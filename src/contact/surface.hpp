#pragma once
/// The free surface of the bodies: faces that belong to one element only.

#include "mesh/tet_mesh.hpp"
#include "partition/halo.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::contact {

/// Set of faces of one tetrahedron: bit a is the face opposite corner a.
using FaceSet = std::uint8_t;

/// Kept up to date while the mesh is cut. An owner of any corner of a face holds both elements beside it; a rank that
/// owns only the corner opposite cannot tell, and is told.
class Surface {
public:
  /// Collective on neighbours. `changed`: elements (slots) made, cut or emptied since the last call, and all around
  /// nodes that were split; all elements at first.
  void update(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed);

  /// Local. Free faces of an element held.
  FaceSet free_faces(LocalIndex e) const { return free_[static_cast<std::size_t>(e)]; }
  /// Local. Held elements with a free face, in no particular order.
  std::span<const LocalIndex> elements() const noexcept { return elements_; }

private:
  void set_free(LocalIndex e, std::size_t face, bool free);

  std::vector<FaceSet> free_;         // (slots)
  std::vector<std::uint8_t> listed_;  // (slots) is in elements_
  std::vector<LocalIndex> elements_;
};

}  // namespace sunder::contact
