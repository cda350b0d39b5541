#pragma once
/// The surface of the bodies: all elements with a corner on a free face. A face is free if only one element has it.

#include "mesh/tet_mesh.hpp"
#include "partition/halo/halo.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::contact {

/// Set of faces of one tetrahedron: bit a is the face opposite corner a.
using FreeFaces = std::uint8_t;

/// Kept up to date while the mesh is cut.
///
/// Elements that touch a free face with an edge or a corner alone belong to the surface. They fill the wedges between
/// elements that have a free face. Without them the overlap would shrink as bodies press deeper, to nothing at a depth
/// of one element.
///
/// A rank that owns a corner of a face holds both elements beside the face, so it knows whether the face is free. A
/// rank that owns only the corner opposite does not; another rank sends it the answer. The owner of a node knows
/// whether the node is on a free face, and sends that to the other holders of the node.
class ContactSurface {
public:
  /// Collective on neighbours. `changed`: slots of the elements made, cut or emptied since the last call, and of all
  /// elements around nodes that were split; at the first call all slots. Costs what changed. Returns these slots and
  /// those of elements that have come to the surface or left it, ascending.
  std::vector<LocalIndex> update(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                 std::span<const LocalIndex> changed);

  /// Local. Free faces of an element held.
  FreeFaces free_faces(LocalIndex e) const { return free_[static_cast<std::size_t>(e)]; }
  /// Local. Does an element held here belong to the surface?
  bool contains(LocalIndex e) const { return position_[static_cast<std::size_t>(e)] >= 0; }
  /// Local. Slots of the held elements of the surface, in any order.
  std::span<const LocalIndex> elements() const noexcept { return elements_; }

private:
  void set_free(LocalIndex e, std::size_t face, bool free);
  bool on_free_face(const mesh::TetMesh& mesh, LocalIndex n) const;
  std::vector<LocalIndex> find_elements(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                        std::span<const LocalIndex> changed);
  void set_contains(LocalIndex e, bool contains);

  std::vector<FreeFaces> free_;           // (slots)
  std::vector<std::uint8_t> on_surface_;  // (nodes)
  std::vector<LocalIndex> elements_;
  std::vector<LocalIndex> position_;  // (slots) in elements_; -1: not there
};

}  // namespace sunder::contact
