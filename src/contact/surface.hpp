#pragma once
/// The skin of the bodies: all elements with a corner on a free face, which is one that belongs to one element only.

#include "mesh/tet_mesh.hpp"
#include "partition/halo.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::contact {

/// Kept up to date while the mesh is cut. Elements that reach the surface with an edge or a corner alone are part of
/// it: between those with a face on it they fill the wedges, and without them what overlaps would shrink as bodies
/// press deeper, to nothing at the height of an element. The owner of a node holds all elements around it, so it knows
/// whether the node is on a free face, and tells who else holds it.
class Surface {
public:
  /// Collective on neighbours. `changed`: elements (slots) made, cut or emptied since the last call, and all around
  /// nodes that were split; all elements at first.
  void update(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed);

  /// Local. Is an element held here part of the skin?
  bool contains(LocalIndex e) const { return contains_[static_cast<std::size_t>(e)] != 0; }
  /// Local. Those that are, ascending.
  std::span<const LocalIndex> elements() const noexcept { return elements_; }

private:
  bool on_free_face(const mesh::TetMesh& mesh, LocalIndex n) const;

  std::vector<std::uint8_t> free_;        // (slots) bit a: the face opposite corner a, where one of its nodes is owned
  std::vector<std::uint8_t> on_surface_;  // (nodes)
  std::vector<std::uint8_t> contains_;    // (slots)
  std::vector<LocalIndex> elements_;
};

}  // namespace sunder::contact
