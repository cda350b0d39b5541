#include "partition/migration/migration.hpp"

#include "core/bytes.hpp"
#include "core/fault_point.hpp"
#include "core/memory.hpp"
#include "partition/halo/holders.hpp"
#include "partition/migration/export_lists.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace sunder::partition {
namespace {

std::size_t find(const std::vector<NodeRecord>& nodes, NodeId id)
{
  const auto at =
      std::lower_bound(nodes.begin(), nodes.end(), id, [](const NodeRecord& n, NodeId x) { return n.id < x; });
  SUNDER_ASSERT(at != nodes.end() && at->id == id);
  return static_cast<std::size_t>(at - nodes.begin());
}

/// Collective. Faces this rank owns a node of.
std::vector<MarkedFace<NodeId>> migrate_faces(const Comm& comm, const MigrationRecords& mine)
{
  if (comm.max(static_cast<std::int64_t>(mine.faces.size())) == 0) return {};
  std::map<Rank, Bytes> to;
  for (const auto& face : mine.faces) {
    std::array<Rank, 3> owners{};
    for (std::size_t a = 0; a < 3; ++a) owners[a] = mine.nodes[find(mine.nodes, face.nodes[a])].owner;
    for (const Rank r : Holders(owners)) put(to[r], face);
  }
  std::vector<MarkedFace<NodeId>> faces;
  for (const Message& message : sparse_exchange(comm, std::move(to)))
    for (ByteReader in(message.bytes); !in.done();) faces.push_back(in.get<MarkedFace<NodeId>>());
  std::sort(faces.begin(), faces.end(),
            [](const auto& a, const auto& b) { return std::tie(a.nodes, a.marks) < std::tie(b.nodes, b.marks); });
  return faces;
}

}  // namespace

MigrationRecords migrate_records(const Comm& comm, const MigrationRecords& mine)
{
  allocation_point("migration: deliver");
  std::map<Rank, ExportList> exports;
  std::map<Rank, std::vector<PairRecord>> pairs;
  std::vector<Tet> corners;
  corners.reserve(mine.elements.size());
  for (const ElementRecord& element : mine.elements.rows) {
    Tet& tet = corners.emplace_back();
    std::array<Rank, 4> owners{};
    for (std::size_t a = 0; a < 4; ++a) {
      const std::size_t n = find(mine.nodes, element.nodes[a]);
      tet[a] = static_cast<LocalIndex>(n), owners[a] = mine.nodes[n].owner;
    }
    const auto remembered = pairs_of(mine.pairs, element.id);
    for (const Rank r : Holders(owners)) {
      exports[r].elements.push_back(static_cast<LocalIndex>(corners.size() - 1));
      if (!remembered.empty()) pairs[r].insert(pairs[r].end(), remembered.begin(), remembered.end());
    }
  }
  add_corners(exports, corners);
  release(corners);
  MigrationRecords held = migrate_exports(
      comm, exports,
      {[&mine](LocalIndex n) { return mine.nodes[static_cast<std::size_t>(n)]; },
       [&mine](LocalIndex e, ElementTable& to) { to.append(mine.elements, static_cast<std::size_t>(e)); }});
  held.pairs = exchange_pairs(comm, pairs);
  held.faces = migrate_faces(comm, mine);
  return held;
}

mesh::TetMesh mesh_of(Rank me, MigrationRecords& records)
{
  std::vector<mesh::Node> nodes;
  nodes.reserve(records.nodes.size());
  for (const NodeRecord& r : records.nodes) nodes.push_back({r.id, r.owner, Vec3(r.X.data()), r.size, r.marks});
  const auto local = [&records](NodeId id) { return static_cast<LocalIndex>(find(records.nodes, id)); };
  std::vector<mesh::Element> elements;
  std::vector<mesh::CreationKey> creation_keys;
  std::vector<std::pair<LocalIndex, mesh::ElementFaces>> faces;
  elements.reserve(records.elements.size());
  for (const ElementRecord& r : records.elements.rows) {
    if (r.faces >= 0) faces.emplace_back(static_cast<LocalIndex>(elements.size()), records.elements.faces.at(r.faces));
    elements.push_back(
        {r.id, {local(r.nodes[0]), local(r.nodes[1]), local(r.nodes[2]), local(r.nodes[3])}, r.material});
    if (r.creation_key >= 0) creation_keys.push_back(records.elements.creation_keys.at(r.creation_key));
  }
  records.elements.release();
  mesh::TetMesh mesh(me, std::move(nodes), std::move(elements), std::move(creation_keys));
  for (const auto& [e, of_element] : faces) mesh.set_faces(e, of_element);
  return mesh;
}

}  // namespace sunder::partition
