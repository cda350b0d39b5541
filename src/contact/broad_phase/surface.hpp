#pragma once
/// The skin of the bodies: all elements with a corner on a free face, which is one that belongs to one element only.

#include "mesh/tet_mesh.hpp"
#include "partition/halo.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::contact {

/// Set of faces of one tetrahedron: bit a is the face opposite corner a.
using FaceSet = std::uint8_t;

/// Kept up to date while the mesh is cut. Elements that reach the surface with an edge or a corner alone are part of
/// it: between those with a face on it they fill the wedges, and without them what overlaps would shrink as bodies
/// press deeper, to nothing at the height of an element. An owner of any corner of a face holds both elements beside
/// it; a rank that owns only the corner opposite cannot tell, and is told. The owner of a node knows whether it is on a
/// free face, and tells who else holds it.
class Surface {
public:
  /// Collective on neighbours. `changed`: elements (slots) made, cut or emptied since the last call, and all around
  /// nodes that were split; all elements at first.
  void update(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed);

  /// Local. Free faces of an element held.
  FaceSet free_faces(LocalIndex e) const { return free_[static_cast<std::size_t>(e)]; }
  /// Local. Is an element held here part of the skin?
  bool contains(LocalIndex e) const { return contains_[static_cast<std::size_t>(e)] != 0; }
  /// Local. Those that are, ascending.
  std::span<const LocalIndex> elements() const noexcept { return elements_; }

private:
  void set_free(LocalIndex e, std::size_t face, bool free);
  bool on_free_face(const mesh::TetMesh& mesh, LocalIndex n) const;
  void find_elements(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed);

  std::vector<FaceSet> free_;             // (slots)
  std::vector<std::uint8_t> on_surface_;  // (nodes)
  std::vector<std::uint8_t> contains_;    // (slots)
  std::vector<LocalIndex> elements_;
};

}  // namespace sunder::contact
