#include "fracture/invariants.hpp"

#include "mesh/star_components.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::fracture {
namespace {

using First = std::optional<Failure>;  // of those found so far, the one of the smallest id

void find_bad_elements(const element::Model& model, First& first)
{
  const mesh::TetMesh& mesh = model.mesh;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) {
      if (model.blocks.volume(e) != 0) note(first, fmt::format("empty slot {}: its lane is not empty", e));
      continue;
    }
    const std::uint64_t id = mesh.element_id(e).low;
    const auto X = mesh.corners(e);
    const double volume = (X[1] - X[0]).cross(X[2] - X[0]).dot(X[3] - X[0]) / 6;
    if (!(volume > 0)) note(first, {fmt::format("element {}: material volume {} m^3, expected > 0", id, volume), id});
    if (std::abs(model.blocks.volume(e) - volume) > 1e-12 * volume)
      note(first, {fmt::format("element {}: its lane is out of date", id), id});
    const auto& tet = mesh.tet(e);
    if (std::none_of(tet.begin(), tet.end(), [&](LocalIndex n) { return mesh.owned(n); }))
      note(first, {fmt::format("element {}: held, but no node of it is owned", id), id});
  }
}

void find_crowded_faces(const mesh::TetMesh& mesh, First& first)
{
  std::vector<std::array<NodeId, 3>> faces;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    for (std::size_t left_out = 0; left_out < 4; ++left_out) {
      std::array<NodeId, 3> face{};
      std::size_t k = 0;
      for (std::size_t a = 0; a < 4; ++a)
        if (a != left_out) face[k++] = mesh.node(mesh.tet(e)[a]).id;
      std::sort(face.begin(), face.end());
      faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end());
  for (std::size_t k = 2; k < faces.size(); ++k)
    if (const auto& [a, b, c] = faces[k]; faces[k] == faces[k - 2])
      note(first, {fmt::format("face of nodes {} {} {}: more than two elements", a.low, b.low, c.low), a.low});
}

void find_broken_stars(const mesh::TetMesh& mesh, First& first)
{
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n)) continue;
    const std::uint64_t id = mesh.node(n).id.low;
    if (const auto parts = mesh::star_components(mesh, n).size(); parts != 1)
      note(first, {fmt::format("node {}: its star has {} components, expected 1", id, parts), id});
  }
}

/// Collective on the halo's neighbours.
void find_wrong_ghosts(const element::Model& model, const partition::Halo& halo, First& first)
{
  struct Copy {
    NodeId id;
    std::array<double, 9> motion;  // X, p, v
    bool operator==(const Copy&) const = default;
  };
  const auto n = static_cast<std::size_t>(model.mesh.num_nodes());
  std::vector<Copy> copies(n);
  for (std::size_t i = 0; i < n; ++i) {
    const mesh::Node& node = model.mesh.node(static_cast<LocalIndex>(i));
    const Row4 &p = model.p[i], &v = model.v[i];
    copies[i] = {node.id, {node.X.x(), node.X.y(), node.X.z(), p.x, p.y, p.z, v.x, v.y, v.z}};
  }
  const std::vector<Copy> before = copies;
  halo.owners_to_ghosts(std::span<Copy>(copies));
  for (std::size_t i = 0; i < n; ++i) {
    if (before[i] == copies[i] || model.mesh.star(static_cast<LocalIndex>(i)).empty()) continue;
    note(first, {fmt::format("ghost {}: its owner sends node {} or another position or velocity", before[i].id.low,
                             copies[i].id.low),
                 before[i].id.low});
  }
}

}  // namespace

std::optional<Failure> find_violation(const element::Model& model, const partition::Halo& halo)
{
  First first;
  find_wrong_ghosts(model, halo, first);
  find_bad_elements(model, first);
  find_crowded_faces(model.mesh, first);
  find_broken_stars(model.mesh, first);
  return first;
}

}  // namespace sunder::fracture
