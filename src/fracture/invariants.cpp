#include "fracture/invariants.hpp"

#include "mesh/star_components.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::fracture {
namespace {

std::optional<std::string> find_bad_element(const element::Model& model)
{
  const mesh::TetMesh& mesh = model.mesh;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) {
      if (model.blocks.volume(e) != 0) return fmt::format("empty slot {}: its lane is not empty", e);
      continue;
    }
    const auto X = mesh.corners(e);
    const double volume = (X[1] - X[0]).cross(X[2] - X[0]).dot(X[3] - X[0]) / 6;
    if (!(volume > 0))
      return fmt::format("element {}: material volume {} m^3, expected > 0", mesh.element_id(e).low, volume);
    if (std::abs(model.blocks.volume(e) - volume) > 1e-12 * volume)
      return fmt::format("element {}: its lane is out of date", mesh.element_id(e).low);
    const auto& tet = mesh.tet(e);
    if (std::none_of(tet.begin(), tet.end(), [&](LocalIndex n) { return mesh.owned(n); }))
      return fmt::format("element {}: held, but no node of it is owned", mesh.element_id(e).low);
  }
  return std::nullopt;
}

std::optional<std::string> find_crowded_face(const mesh::TetMesh& mesh)
{
  std::vector<std::array<LocalIndex, 3>> faces;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    for (std::size_t left_out = 0; left_out < 4; ++left_out) {
      std::array<LocalIndex, 3> face{};
      std::size_t k = 0;
      for (std::size_t a = 0; a < 4; ++a)
        if (a != left_out) face[k++] = mesh.tet(e)[a];
      std::sort(face.begin(), face.end());
      faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end());
  for (std::size_t k = 2; k < faces.size(); ++k)
    if (faces[k] == faces[k - 2])
      return fmt::format("face of nodes {} {} {}: more than two elements", mesh.node(faces[k][0]).id.low,
                         mesh.node(faces[k][1]).id.low, mesh.node(faces[k][2]).id.low);
  return std::nullopt;
}

std::optional<std::string> find_broken_star(const mesh::TetMesh& mesh)
{
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n)) continue;
    if (const auto parts = mesh::star_components(mesh, n).size(); parts != 1)
      return fmt::format("node {}: its star has {} components, expected 1", mesh.node(n).id.low, parts);
  }
  return std::nullopt;
}

std::optional<std::string> find_wrong_ghost(const element::Model& model, const partition::Halo& halo)
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
    return fmt::format("ghost {}: its owner sends node {} or another position or velocity", before[i].id.low,
                       copies[i].id.low);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_violation(const element::Model& model, const partition::Halo& halo)
{
  const auto ghost = find_wrong_ghost(model, halo);  // collective: before any early return
  if (auto problem = find_bad_element(model)) return problem;
  if (auto problem = find_crowded_face(model.mesh)) return problem;
  if (auto problem = find_broken_star(model.mesh)) return problem;
  return ghost;
}

}  // namespace sunder::fracture
