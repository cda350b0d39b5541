#include "contact/broad_phase/contact_surface.hpp"

#include "core/sort_unique.hpp"
#include "partition/halo/face_exchange.hpp"

#include <algorithm>
#include <utility>

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

/// Has only this element the face? One node of the face must be owned, so that all elements around it are held.
bool is_free(const mesh::TetMesh& mesh, LocalIndex e, const std::array<LocalIndex, 3>& face, LocalIndex owned)
{
  for (const LocalIndex other : mesh.star(owned)) {
    const Tet& tet = mesh.tet(other);
    if (other != e && has(tet, face[0]) && has(tet, face[1]) && has(tet, face[2])) return false;
  }
  return true;
}

}  // namespace

void ContactSurface::set_free(LocalIndex e, std::size_t face, bool free)
{
  FreeFaces& set = free_[static_cast<std::size_t>(e)];
  const auto bit = static_cast<FreeFaces>(1u << face);
  set = static_cast<FreeFaces>(free ? set | bit : set & ~bit);
}

bool ContactSurface::on_free_face(const mesh::TetMesh& mesh, LocalIndex n) const
{
  for (const LocalIndex e : mesh.star(n)) {
    unsigned around = free_faces(e);
    for (std::size_t a = 0; a < 4; ++a)
      if (mesh.tet(e)[a] == n) around &= ~(1u << a);
    if (around != 0) return true;
  }
  return false;
}

void ContactSurface::set_contains(LocalIndex e, bool contains)
{
  LocalIndex& at = position_[static_cast<std::size_t>(e)];
  if ((at >= 0) == contains) return;
  if (contains) {
    at = static_cast<LocalIndex>(elements_.size());
    elements_.push_back(e);
    return;
  }
  position_[static_cast<std::size_t>(elements_.back())] = at;
  elements_[static_cast<std::size_t>(at)] = elements_.back();
  elements_.pop_back();
  position_[static_cast<std::size_t>(e)] = -1;
}

std::vector<LocalIndex> ContactSurface::find_elements(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                                      std::span<const LocalIndex> changed)
{
  on_surface_.resize(static_cast<std::size_t>(mesh.num_nodes()), 0);
  position_.resize(static_cast<std::size_t>(mesh.num_slots()), -1);
  std::vector<LocalIndex> turned;  // nodes that have come to the surface, or are not on it any more
  for (const LocalIndex e : changed) {
    if (!mesh.alive(e)) continue;
    for (const LocalIndex n : mesh.tet(e)) {
      if (!mesh.owned(n)) continue;
      const std::uint8_t now = on_free_face(mesh, n);
      if (std::exchange(on_surface_[static_cast<std::size_t>(n)], now) != now) turned.push_back(n);
    }
  }
  halo.owners_to_ghosts(mesh, std::span(on_surface_), turned, [&turned](LocalIndex n) { turned.push_back(n); });

  const std::vector<LocalIndex> ascending = sorted_unique(std::vector(changed.begin(), changed.end()));
  std::vector<LocalIndex> concerned = ascending;
  for (const LocalIndex n : turned) concerned.insert(concerned.end(), mesh.star(n).begin(), mesh.star(n).end());
  sort_unique(concerned);
  const auto unaffected = [&](LocalIndex e) {
    const bool before = contains(e), now = mesh.alive(e) && std::ranges::any_of(mesh.tet(e), [this](LocalIndex n) {
                                             return on_surface_[static_cast<std::size_t>(n)] != 0;
                                           });
    set_contains(e, now);
    return before == now && !std::binary_search(ascending.begin(), ascending.end(), e);
  };
  std::erase_if(concerned, unaffected);
  return concerned;
}

std::vector<LocalIndex> ContactSurface::update(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                               std::span<const LocalIndex> changed)
{
  free_.resize(static_cast<std::size_t>(mesh.num_slots()), 0);
  partition::FaceExchange<bool> free_faces(mesh, halo);
  for (const LocalIndex e : changed) {
    if (!mesh.alive(e)) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto face = face_nodes(mesh.tet(e), k);
      const auto owned = std::find_if(face.begin(), face.end(), [&mesh](LocalIndex n) { return mesh.owned(n); });
      if (owned == face.end()) continue;
      const bool free = is_free(mesh, e, face, *owned);
      set_free(e, k, free);
      free_faces.add(e, k, free);
    }
  }
  free_faces.finish([this](LocalIndex e, std::size_t face, bool free) { set_free(e, face, free); });
  for (const LocalIndex e : changed)
    if (!mesh.alive(e)) free_[static_cast<std::size_t>(e)] = 0;
  return find_elements(mesh, halo, changed);
}

}  // namespace sunder::contact
