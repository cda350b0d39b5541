#include "lattice/bonds.hpp"

#include "core/sort_unique.hpp"

#include <algorithm>
#include <tuple>

namespace sunder::lattice {
namespace {

std::size_t at(LocalIndex i)
{
  return static_cast<std::size_t>(i);
}

/// A face of a held element, of which this rank owns a node.
struct Face {
  std::array<LocalIndex, 3> nodes;  // ascending
  LocalIndex element;
  std::uint8_t opposite;
};

/// A bond whose face has a node of this rank.
struct KnownBond {
  BondKey key;
  Rank owner;
  std::array<LocalIndex, 3> nodes;  // of the face, ascending
  std::array<LocalIndex, 2> elements;
  std::array<std::uint8_t, 2> opposite;
};

/// Two bonds whose faces share an edge: told to the owner of the first.
struct Adjacency {
  BondKey of;
  GhostBond other;
  bool operator<(const Adjacency& y) const { return std::tie(of, other.key) < std::tie(y.of, y.other.key); }
};

std::vector<Face> faces_with_own_node(const mesh::TetMesh& mesh)
{
  std::vector<Face> faces;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const Tet& tet = mesh.tet(e);
    for (std::size_t k = 0; k < 4; ++k) {
      Face face{{}, e, static_cast<std::uint8_t>(k)};
      bool own = false;
      for (std::size_t c = 0; c < 3; ++c) {
        face.nodes[c] = tet[mesh::face_corners[k][c]];
        own = own || mesh.owned(face.nodes[c]);
      }
      std::sort(face.nodes.begin(), face.nodes.end());
      if (own) faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end(),
            [](const Face& x, const Face& y) { return std::tie(x.nodes, x.element) < std::tie(y.nodes, y.element); });
  return faces;
}

/// Ascending by owner, this rank first, then by key.
std::vector<KnownBond> known_bonds(const mesh::TetMesh& mesh)
{
  const std::vector<Face> faces = faces_with_own_node(mesh);
  std::vector<KnownBond> bonds;
  for (std::size_t i = 1; i < faces.size(); ++i) {
    const Face *x = &faces[i - 1], *y = &faces[i];
    if (x->nodes != y->nodes) continue;
    if (mesh.element_id(y->element) < mesh.element_id(x->element)) std::swap(x, y);
    Rank owner = mesh.node(x->nodes[0]).owner;
    for (const LocalIndex n : x->nodes) owner = std::min(owner, mesh.node(n).owner);
    bonds.push_back({{mesh.element_id(x->element), mesh.element_id(y->element)},
                     owner,
                     x->nodes,
                     {x->element, y->element},
                     {x->opposite, y->opposite}});
  }
  const Rank me = mesh.me();
  std::sort(bonds.begin(), bonds.end(), [me](const KnownBond& x, const KnownBond& y) {
    return std::tuple(x.owner != me, x.owner, x.key) < std::tuple(y.owner != me, y.owner, y.key);
  });
  return bonds;
}

/// Collective on neighbours. The owner of an edge (the lower of its ends' owners) holds all elements around it. It
/// tells the owner of each bond around the edge of the others. Returns those of this rank's bonds, ascending.
std::vector<Adjacency> adjacencies(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                   std::span<const KnownBond> known)
{
  struct AtEdge {
    LocalIndex n, m;
    const KnownBond* bond;
  };
  std::vector<AtEdge> around;
  for (const KnownBond& bond : known)
    for (std::size_t k = 0; k < 3; ++k) {
      const LocalIndex n = bond.nodes[k == 2 ? 0 : k], m = bond.nodes[k == 2 ? 2 : k + 1];
      if (std::min(mesh.node(n).owner, mesh.node(m).owner) == mesh.me()) around.push_back({n, m, &bond});
    }
  std::sort(around.begin(), around.end(),
            [](const AtEdge& x, const AtEdge& y) { return std::tie(x.n, x.m) < std::tie(y.n, y.m); });
  std::vector<Adjacency> found;
  std::vector<Bytes> out(halo.peers().size());
  for (auto first = around.begin(); first != around.end();) {
    const auto last =
        std::find_if(first, around.end(), [&](const AtEdge& x) { return x.n != first->n || x.m != first->m; });
    for (auto i = first; i != last; ++i)
      for (auto j = first; j != last; ++j) {
        if (i == j) continue;
        const Adjacency pair{i->bond->key, {j->bond->owner, j->bond->key}};
        if (i->bond->owner == mesh.me())
          found.push_back(pair);
        else
          put(out[halo.position_of(i->bond->owner)], pair);
      }
    first = last;
  }
  for (const Bytes& message : exchange(halo.comm(), halo.peers(), out))
    for (ByteReader in(message); !in.done();) found.push_back(in.get<Adjacency>());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<GhostBond> ghosts_needed(Rank me, std::span<const KnownBond> known, std::span<const Adjacency> adjacent)
{
  std::vector<GhostBond> ghosts;
  for (const KnownBond& bond : known)
    if (bond.owner != me) ghosts.push_back({bond.owner, bond.key});
  for (const Adjacency& pair : adjacent)
    if (pair.other.owner != me) ghosts.push_back(pair.other);
  sort_unique(ghosts);
  return ghosts;
}

/// Position of a bond in the local order.
LocalIndex local_index(std::span<const BondKey> owned, std::span<const GhostBond> ghosts, Rank me,
                       const GhostBond& bond)
{
  if (bond.owner == me)
    return static_cast<LocalIndex>(std::lower_bound(owned.begin(), owned.end(), bond.key) - owned.begin());
  return static_cast<LocalIndex>(owned.size()) +
         static_cast<LocalIndex>(std::lower_bound(ghosts.begin(), ghosts.end(), bond) - ghosts.begin());
}

void measure_owned(const mesh::TetMesh& mesh, std::span<const KnownBond> owned, Bonds& bonds)
{
  for (const KnownBond& bond : owned) {
    const std::array<Vec3, 4> X = mesh.corners(bond.elements[0]);
    const auto& [a, b, c] = mesh::face_corners[bond.opposite[0]];
    bonds.elements.push_back(bond.elements), bonds.opposite.push_back(bond.opposite[0]);
    bonds.areas.push_back((X[b] - X[a]).cross(X[c] - X[a]).norm() / 2);
    bonds.places.emplace_back((X[a] + X[b] + X[c]) / 3);
    bonds.directions.emplace_back((centroid(mesh, bond.elements[0]) - centroid(mesh, bond.elements[1])).normalized());
  }
}

/// Collective. Those of ghosts come from their owners.
void bring_directions(Bonds& bonds, std::size_t num_ghosts)
{
  std::vector<Row4> rows(bonds.directions.size() + num_ghosts);
  for (std::size_t b = 0; b < bonds.directions.size(); ++b) rows[b].set_xyz(bonds.directions[b]);
  bonds.halo.owners_to_ghosts(std::span<Row4>(rows));
  for (std::size_t b = bonds.directions.size(); b < rows.size(); ++b) bonds.directions.push_back(rows[b].xyz());
}

}  // namespace

Vec3 centroid(const mesh::TetMesh& mesh, LocalIndex e)
{
  const std::array<Vec3, 4> X = mesh.corners(e);
  return (X[0] + X[1] + X[2] + X[3]) / 4;
}

Bonds make_bonds(const mesh::TetMesh& mesh, const partition::Halo& halo)
{
  const Rank me = mesh.me();
  const std::vector<KnownBond> known = known_bonds(mesh);
  const auto own_end =
      std::find_if(known.begin(), known.end(), [me](const KnownBond& bond) { return bond.owner != me; });
  const std::vector<Adjacency> adjacent = adjacencies(mesh, halo, known);
  const std::vector<GhostBond> ghosts = ghosts_needed(me, known, adjacent);
  std::vector<BondKey> owned;
  for (auto bond = known.begin(); bond != own_end; ++bond) owned.push_back(bond->key);

  Bonds bonds(BondHalo(halo.comm(), owned, ghosts));
  bonds.num_owned = static_cast<LocalIndex>(owned.size());
  bonds.count = halo.comm().sum(static_cast<std::int64_t>(owned.size()));
  measure_owned(mesh, {known.begin(), own_end}, bonds);
  bring_directions(bonds, ghosts.size());

  bonds.of_faces.assign(at(mesh.num_slots()), {no_bond, no_bond, no_bond, no_bond});
  for (const KnownBond& bond : known)
    for (std::size_t side = 0; side < 2; ++side)
      bonds.of_faces[at(bond.elements[side])][bond.opposite[side]] =
          local_index(owned, ghosts, me, {bond.owner, bond.key});
  auto pair = adjacent.begin();
  for (const BondKey& key : owned) {
    bonds.first_adjacent.push_back(bonds.adjacent.size());
    for (; pair != adjacent.end() && pair->of == key; ++pair)
      bonds.adjacent.push_back(local_index(owned, ghosts, me, pair->other));
  }
  bonds.first_adjacent.push_back(bonds.adjacent.size());
  bonds.keys = std::move(owned);
  for (const GhostBond& ghost : ghosts) bonds.keys.push_back(ghost.key);
  return bonds;
}

}  // namespace sunder::lattice
