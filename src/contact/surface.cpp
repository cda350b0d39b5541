#include "contact/surface.hpp"

#include <algorithm>
#include <array>

namespace sunder::contact {
namespace {

bool has(const Tet& tet, LocalIndex n)
{
  return std::find(tet.begin(), tet.end(), n) != tet.end();
}

std::array<LocalIndex, 3> face_nodes(const Tet& tet, std::size_t face)
{
  std::array<LocalIndex, 3> nodes{};
  for (std::size_t a = 0, k = 0; a < 4; ++a)
    if (a != face) nodes[k++] = tet[a];
  return nodes;
}

/// Has the face no second element? Asked where some node of it is owned: all elements around that are held.
bool is_free(const mesh::TetMesh& mesh, LocalIndex e, const std::array<LocalIndex, 3>& face, LocalIndex owned)
{
  for (const LocalIndex other : mesh.star(owned)) {
    const Tet& tet = mesh.tet(other);
    if (other != e && has(tet, face[0]) && has(tet, face[1]) && has(tet, face[2])) return false;
  }
  return true;
}

/// Bit a: the face opposite corner a is free. Faces of which no node is owned are left out.
std::uint8_t free_faces(const mesh::TetMesh& mesh, LocalIndex e)
{
  std::uint8_t faces = 0;
  for (std::size_t a = 0; a < 4; ++a) {
    const auto face = face_nodes(mesh.tet(e), a);
    const auto owned = std::find_if(face.begin(), face.end(), [&mesh](LocalIndex n) { return mesh.owned(n); });
    if (owned != face.end() && is_free(mesh, e, face, *owned)) faces = static_cast<std::uint8_t>(faces | 1u << a);
  }
  return faces;
}

}  // namespace

bool Surface::on_free_face(const mesh::TetMesh& mesh, LocalIndex n) const
{
  for (const LocalIndex e : mesh.star(n)) {
    unsigned around = free_[static_cast<std::size_t>(e)];
    for (std::size_t a = 0; a < 4; ++a)
      if (mesh.tet(e)[a] == n) around &= ~(1u << a);
    if (around != 0) return true;
  }
  return false;
}

void Surface::update(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const LocalIndex> changed)
{
  free_.resize(static_cast<std::size_t>(mesh.num_slots()), 0);
  on_surface_.resize(static_cast<std::size_t>(mesh.num_nodes()), 0);
  for (const LocalIndex e : changed) free_[static_cast<std::size_t>(e)] = mesh.alive(e) ? free_faces(mesh, e) : 0;
  for (const LocalIndex e : changed) {
    if (!mesh.alive(e)) continue;
    for (const LocalIndex n : mesh.tet(e))
      if (mesh.owned(n)) on_surface_[static_cast<std::size_t>(n)] = on_free_face(mesh, n);
  }
  halo.owners_to_ghosts(std::span(on_surface_));

  contains_.assign(static_cast<std::size_t>(mesh.num_slots()), 0);
  elements_.clear();
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const Tet& tet = mesh.tet(e);
    const bool reaches = std::any_of(tet.begin(), tet.end(),
                                     [this](LocalIndex n) { return on_surface_[static_cast<std::size_t>(n)] != 0; });
    if (!reaches) continue;
    contains_[static_cast<std::size_t>(e)] = 1;
    elements_.push_back(e);
  }
}

}  // namespace sunder::contact
