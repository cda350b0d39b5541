#include "fracture/invariants.hpp"

#include "core/bytes.hpp"
#include "mesh/star_components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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
    if (const auto components = mesh::star_components(mesh, n).size(); components != 1)
      note(first, {fmt::format("node {}: its star has {} components, expected 1", id, components), id});
  }
}

void find_wrong_star_lists(const mesh::TetMesh& mesh, First& first)
{
  std::size_t listed = 0, corners = 0;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    const auto star = mesh.star(n);
    listed += star.size();
    bool right = std::adjacent_find(star.begin(), star.end(), std::greater_equal<>()) == star.end();
    for (const LocalIndex e : star) {
      const Tet& tet = mesh.tet(e);
      right = right && mesh.alive(e) && std::find(tet.begin(), tet.end(), n) != tet.end();
    }
    const std::uint64_t id = mesh.node(n).id.low;
    if (!right) note(first, {fmt::format("node {}: its star lists other elements than those around it", id), id});
  }
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) corners += mesh.alive(e) ? 4 : 0;
  if (listed != corners) note(first, fmt::format("stars list {} elements, expected {}", listed, corners));
}

void find_repeated_ids(const mesh::TetMesh& mesh, First& first)
{
  std::vector<GlobalId> ids;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) ids.push_back(mesh.node(n).id);
  const auto check = [&](const char* what) {
    std::sort(ids.begin(), ids.end());
    if (const auto twice = std::adjacent_find(ids.begin(), ids.end()); twice != ids.end())
      note(first, {fmt::format("{} {}: two have this id", what, twice->low), twice->low});
  };
  check("node");
  ids.clear();
  std::copy_if(mesh.element_ids().begin(), mesh.element_ids().end(), std::back_inserter(ids),
               [](ElementId id) { return id != mesh::no_element; });
  check("element");
}

/// Local. The lists are kept up to date from what changed; a new halo derives them from all elements held.
void find_wrong_exchange_lists(const mesh::TetMesh& mesh, const partition::Halo& halo, First& first)
{
  const partition::Halo derived(halo.comm(), mesh);
  const auto kept = halo.neighbours(), expected = derived.neighbours();
  const auto same = [](const partition::Neighbour& a, const partition::Neighbour& b) {
    return a.rank == b.rank && a.mirrors == b.mirrors && a.ghosts == b.ghosts;
  };
  const auto [a, b] = std::mismatch(kept.begin(), kept.end(), expected.begin(), expected.end(), same);
  if (a == kept.end() && b == expected.end()) return;
  note(first, fmt::format("rank {}: its exchange lists with rank {} are not those of the elements it holds", mesh.me(),
                          a != kept.end() ? a->rank : b->rank));
}

/// Of an element all that its holders must have alike.
struct HeldElement {
  ElementId id;
  std::array<NodeId, 4> nodes;
  std::array<Rank, 4> owners{};
  MaterialIndex material = 0;
  bool operator==(const HeldElement&) const = default;
};

HeldElement held_element(const mesh::TetMesh& mesh, LocalIndex e)
{
  HeldElement held{mesh.element_id(e), {}, {}, mesh.material(e)};
  for (std::size_t a = 0; a < 4; ++a) {
    const mesh::Node& node = mesh.node(mesh.tet(e)[a]);
    held.nodes[a] = node.id, held.owners[a] = node.owner;
  }
  return held;
}

/// This rank's slot of the same element; empty if it is not held or another.
std::optional<LocalIndex> find_same(const mesh::TetMesh& mesh, const HeldElement& held)
{
  for (const NodeId id : held.nodes) {
    const auto n = mesh.find(id);
    if (!n || !mesh.owned(*n)) continue;
    const auto e = mesh.find_around(*n, held.id);
    return e && held_element(mesh, *e) == held ? e : std::nullopt;
  }
  return std::nullopt;
}

/// Collective. Each element held goes to the owners of its other corners, which must hold it as well, and in the same
/// order. It is not the exchange of neighbours: where holders differ, one may wait for what the other never sends.
void find_unlike_holders(const mesh::TetMesh& mesh, const Comm& comm, First& first)
{
  std::map<Rank, Bytes> out;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const HeldElement held = held_element(mesh, e);
    for (std::size_t a = 0; a < 4; ++a) {
      const auto before = held.owners.begin() + static_cast<std::ptrdiff_t>(a);
      if (held.owners[a] != mesh.me() && std::find(held.owners.begin(), before, held.owners[a]) == before)
        put(out[held.owners[a]], held);
    }
  }
  for (const Message& message : sparse_exchange(comm, std::move(out))) {
    LocalIndex last = -1;
    for (ByteReader in(message.bytes); !in.done();) {
      const auto held = in.get<HeldElement>();
      const auto e = find_same(mesh, held);
      const std::uint64_t id = held.id.low;
      if (!e)
        note(first, {fmt::format("element {}: held on rank {}, but not the same on rank {}, which owns a node of it",
                                 id, message.peer, mesh.me()),
                     id});
      else if (*e < last)
        note(first,
             {fmt::format("element {}: ranks {} and {} have it in another order", id, message.peer, mesh.me()), id});
      last = e.value_or(last);
    }
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
  find_bad_elements(model, first);
  find_crowded_faces(model.mesh, first);
  find_wrong_star_lists(model.mesh, first);
  find_repeated_ids(model.mesh, first);
  find_wrong_exchange_lists(model.mesh, halo, first);
  find_unlike_holders(model.mesh, halo.comm(), first);
  // Lists that two ranks do not have alike would have one of them wait for the other, and wrong stars lead anywhere.
  if (halo.comm().max(std::int64_t{first.has_value()}) > 0) return first;
  find_broken_stars(model.mesh, first);
  find_wrong_ghosts(model, halo, first);
  return first;
}

}  // namespace sunder::fracture
