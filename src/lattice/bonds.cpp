#include "lattice/bonds.hpp"

#include "core/sort_unique.hpp"

#include <algorithm>
#include <tuple>

namespace sunder::lattice {
namespace {

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
};

/// The same of bonds that this rank knows, as positions among them.
struct KnownPair {
  LocalIndex of, other;
};

struct Adjacencies {
  std::vector<KnownPair> known;  // `of` is this rank's
  std::vector<Adjacency> told;   // likewise
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

/// Has the bond of this face broken, as the element with the smaller id remembers?
bool has_broken(std::span<const mesh::LatticeMemory> memory, const Face& face)
{
  return !memory.empty() && memory[at(face.element)].has_broken(face.opposite);
}

/// Ascending by owner, this rank first, then by key.
std::vector<KnownBond> known_bonds(const mesh::TetMesh& mesh, std::span<const mesh::LatticeMemory> memory)
{
  const std::vector<Face> faces = faces_with_own_node(mesh);
  std::vector<KnownBond> bonds;
  for (std::size_t i = 1; i < faces.size(); ++i) {
    const Face *x = &faces[i - 1], *y = &faces[i];
    if (x->nodes != y->nodes) continue;
    if (mesh.element_id(y->element) < mesh.element_id(x->element)) std::swap(x, y);
    if (has_broken(memory, *x)) continue;
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
/// tells the owner of each bond around the edge of the others.
Adjacencies adjacencies(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const KnownBond> known)
{
  struct AtEdge {
    LocalIndex n, m, bond;
  };
  std::vector<AtEdge> around;
  around.reserve(3 * known.size());
  for (std::size_t b = 0; b < known.size(); ++b)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& nodes = known[b].nodes;
      const LocalIndex n = nodes[k == 2 ? 0 : k], m = nodes[k == 2 ? 2 : k + 1];
      if (std::min(mesh.node(n).owner, mesh.node(m).owner) == mesh.me())
        around.push_back({n, m, static_cast<LocalIndex>(b)});
    }
  std::sort(around.begin(), around.end(),
            [](const AtEdge& x, const AtEdge& y) { return std::tie(x.n, x.m) < std::tie(y.n, y.m); });
  Adjacencies found;
  std::vector<Bytes> out(halo.peers().size());
  for (auto first = around.begin(); first != around.end();) {
    const auto last =
        std::find_if(first, around.end(), [&](const AtEdge& x) { return x.n != first->n || x.m != first->m; });
    for (auto i = first; i != last; ++i)
      for (auto j = first; j != last; ++j) {
        if (i == j) continue;
        const KnownBond &of = known[at(i->bond)], &other = known[at(j->bond)];
        if (of.owner == mesh.me())
          found.known.push_back({i->bond, j->bond});
        else
          put(out[halo.position_of(of.owner)], Adjacency{of.key, {other.owner, other.key}});
      }
    first = last;
  }
  for (const Bytes& message : exchange(halo.comm(), halo.peers(), out))
    for (ByteReader in(message); !in.done();) found.told.push_back(in.get<Adjacency>());
  return found;
}

/// Ascending.
std::vector<GhostBond> ghosts_needed(Rank me, std::span<const KnownBond> known, std::span<const Adjacency> told)
{
  std::vector<GhostBond> ghosts;
  for (const KnownBond& bond : known)
    if (bond.owner != me) ghosts.push_back({bond.owner, bond.key});
  for (const Adjacency& pair : told)
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

/// Fills in the lists of adjacent bonds, each ascending by key.
/// @param local  (known) positions of known bonds in the local order
void list_adjacent(const Adjacencies& pairs, std::span<const LocalIndex> local, std::span<const GhostBond> ghosts,
                   Rank me, Bonds& bonds)
{
  const std::span<const BondKey> owned(bonds.keys.data(), at(bonds.num_owned));
  std::vector<KnownPair> all(pairs.known);
  for (KnownPair& pair : all) pair.other = local[at(pair.other)];
  for (const Adjacency& pair : pairs.told)
    all.push_back({local_index(owned, ghosts, me, {me, pair.of}), local_index(owned, ghosts, me, pair.other)});
  bonds.first_adjacent.assign(owned.size() + 1, 0);
  for (const KnownPair& pair : all) ++bonds.first_adjacent[at(pair.of) + 1];
  for (std::size_t b = 0; b < owned.size(); ++b) bonds.first_adjacent[b + 1] += bonds.first_adjacent[b];
  bonds.adjacent.resize(all.size());
  std::vector<std::size_t> next(bonds.first_adjacent.begin(), bonds.first_adjacent.end() - 1);
  for (const KnownPair& pair : all) bonds.adjacent[next[at(pair.of)]++] = pair.other;
  for (std::size_t b = 0; b < owned.size(); ++b)
    std::sort(bonds.adjacent.begin() + static_cast<std::ptrdiff_t>(bonds.first_adjacent[b]),
              bonds.adjacent.begin() + static_cast<std::ptrdiff_t>(bonds.first_adjacent[b + 1]),
              [&](LocalIndex x, LocalIndex y) { return bonds.keys[at(x)] < bonds.keys[at(y)]; });
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

Bonds make_bonds(const mesh::TetMesh& mesh, const partition::Halo& halo, std::span<const mesh::LatticeMemory> memory)
{
  const Rank me = mesh.me();
  const std::vector<KnownBond> known = known_bonds(mesh, memory);
  const auto own_end =
      std::find_if(known.begin(), known.end(), [me](const KnownBond& bond) { return bond.owner != me; });
  const Adjacencies adjacent = adjacencies(mesh, halo, known);
  const std::vector<GhostBond> ghosts = ghosts_needed(me, known, adjacent.told);
  std::vector<BondKey> owned;
  for (auto bond = known.begin(); bond != own_end; ++bond) owned.push_back(bond->key);

  Bonds bonds(BondHalo(halo.comm(), owned, ghosts));
  bonds.num_owned = static_cast<LocalIndex>(owned.size());
  bonds.count = halo.comm().sum(static_cast<std::int64_t>(owned.size()));
  measure_owned(mesh, {known.begin(), own_end}, bonds);
  bring_directions(bonds, ghosts.size());

  bonds.of_faces.assign(at(mesh.num_slots()), {no_bond, no_bond, no_bond, no_bond});
  std::vector<LocalIndex> local;
  local.reserve(known.size());
  for (const KnownBond& bond : known) {
    local.push_back(local.size() < owned.size() ? static_cast<LocalIndex>(local.size())
                                                : local_index(owned, ghosts, me, {bond.owner, bond.key}));
    for (std::size_t side = 0; side < 2; ++side)
      bonds.of_faces[at(bond.elements[side])][bond.opposite[side]] = local.back();
  }
  bonds.keys = std::move(owned);
  for (const GhostBond& ghost : ghosts) bonds.keys.push_back(ghost.key);
  list_adjacent(adjacent, local, ghosts, me, bonds);
  return bonds;
}

}  // namespace sunder::lattice
