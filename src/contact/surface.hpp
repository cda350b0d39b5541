#pragma once
/// The free surface of the bodies: faces that belong to one element only, and the elements that reach it.

#include "contact/tet_overlap.hpp"
#include "mesh/tet_mesh.hpp"
#include "partition/halo.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::contact {

/// Kept up to date while the mesh is cut. An owner of any corner of a face holds both elements beside it; a rank that
/// owns only the corner opposite cannot tell, and is told.
class Surface {
public:
  /// Collective on neighbours. `changed`: elements (slots) made, cut or emptied since the last call, and all around
  /// nodes that were split; all elements at first.
  void update(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed);

  /// Local. Free faces of an element held.
  FaceSet free_faces(LocalIndex e) const { return free_[static_cast<std::size_t>(e)]; }
  /// Local. Held elements with a corner on the surface, in no particular order.
  std::span<const LocalIndex> elements() const noexcept { return elements_; }

private:
  void find_free_faces(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed);
  void find_surface_nodes(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed);
  void list_elements(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed);

  std::vector<FaceSet> free_;             // (slots)
  std::vector<std::uint8_t> on_surface_;  // (nodes)
  std::vector<std::uint8_t> listed_;      // (slots) is in elements_
  std::vector<LocalIndex> elements_;
};

}  // namespace sunder::contact
