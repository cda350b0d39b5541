#include "partition/distribute.hpp"

#include "partition/transfer.hpp"

#include <algorithm>
#include <cstring>

namespace sunder::partition {
namespace {

struct NodeRecord {
  mesh::Node node;
  Vec3 velocity;
};
struct ElementRecord {
  ElementId id;
  std::array<NodeId, 4> nodes;
  MaterialIndex material;
  std::uint8_t level;
};

struct Records {
  std::vector<NodeRecord> nodes;
  std::vector<ElementRecord> elements;
  std::vector<MarkedFace<NodeId>> faces;
  std::uint64_t surface_marks = 0;
};

/// Marked faces of which a rank owns a node: it holds the elements on both sides.
std::vector<MarkedFace<NodeId>> faces_of(const WholeMesh& whole, Rank rank)
{
  std::vector<MarkedFace<NodeId>> faces;
  for (const auto& face : whole.marked_faces) {
    const auto owned = [&](GlobalIndex n) { return whole.owners[static_cast<std::size_t>(n)] == rank; };
    if (std::none_of(face.nodes.begin(), face.nodes.end(), owned)) continue;
    faces.push_back({{}, face.marks});
    std::copy(face.nodes.begin(), face.nodes.end(), faces.back().nodes.begin());
  }
  return faces;
}

Records records_of(const WholeMesh& whole, const std::vector<double>& sizes, const std::vector<GlobalIndex>& elements,
                   Rank rank)
{
  Records part;
  std::vector<GlobalIndex> nodes;
  for (const GlobalIndex e : elements) {
    const auto& tet = whole.data.tets[static_cast<std::size_t>(e)];
    ElementRecord record{static_cast<ElementId>(e), {}, whole.element_materials[static_cast<std::size_t>(e)], 0};
    if (!whole.element_levels.empty()) record.level = whole.element_levels[static_cast<std::size_t>(e)];
    for (std::size_t a = 0; a < 4; ++a) {
      record.nodes[a] = static_cast<NodeId>(tet[a]);
      nodes.push_back(tet[a]);
    }
    part.elements.push_back(record);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const GlobalIndex n : nodes) {
    const auto i = static_cast<std::size_t>(n);
    part.nodes.push_back({{static_cast<NodeId>(n), whole.owners[i], whole.data.nodes[i], sizes[i], whole.node_marks[i]},
                          whole.node_velocities[i]});
  }
  part.faces = faces_of(whole, rank);
  part.surface_marks = whole.surface_marks;
  return part;
}

/// Nothing if no element held has the face.
std::optional<std::array<LocalIndex, 3>> find_face(const mesh::TetMesh& mesh, const std::array<NodeId, 3>& nodes)
{
  std::array<LocalIndex, 3> face{};
  for (std::size_t a = 0; a < 3; ++a) {
    const auto n = mesh.find(nodes[a]);
    if (!n) return std::nullopt;
    face[a] = *n;
  }
  for (const LocalIndex e : mesh.star(face[0])) {
    const Tet& t = mesh.tet(e);
    if (std::count(t.begin(), t.end(), face[1]) && std::count(t.begin(), t.end(), face[2])) return face;
  }
  return std::nullopt;
}

Part build(Rank me, const Records& records)
{
  std::vector<mesh::Node> nodes;
  Part part;
  nodes.reserve(records.nodes.size()), part.velocities.reserve(records.nodes.size());
  for (const NodeRecord& r : records.nodes) nodes.push_back(r.node), part.velocities.push_back(r.velocity);
  std::vector<mesh::Element> elements;
  elements.reserve(records.elements.size());
  const auto local = [&nodes](NodeId id) {
    const auto it =
        std::lower_bound(nodes.begin(), nodes.end(), id, [](const mesh::Node& n, NodeId x) { return n.id < x; });
    return static_cast<LocalIndex>(it - nodes.begin());
  };
  for (const ElementRecord& r : records.elements) {
    elements.push_back(
        {r.id, {local(r.nodes[0]), local(r.nodes[1]), local(r.nodes[2]), local(r.nodes[3])}, r.material});
    part.levels.push_back(r.level);
  }
  part.mesh = mesh::TetMesh(me, std::move(nodes), std::move(elements));
  for (const auto& face : records.faces)
    if (const auto held = find_face(part.mesh, face.nodes)) part.marked_faces.push_back({*held, face.marks});
  part.surface_marks = records.surface_marks;
  return part;
}

}  // namespace

std::vector<double> node_sizes(const mesh::MeshData& mesh)
{
  // Each edge counts once for every element around it: a weighted mean that needs no edge list.
  std::vector<double> length(mesh.nodes.size(), 0), count(mesh.nodes.size(), 0);
  for (const auto& tet : mesh.tets)
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) {
        const auto i = static_cast<std::size_t>(tet[a]), j = static_cast<std::size_t>(tet[b]);
        const double l = (mesh.nodes[i] - mesh.nodes[j]).norm();
        length[i] += l, length[j] += l, ++count[i], ++count[j];
      }
  for (std::size_t n = 0; n < length.size(); ++n) length[n] /= std::max(count[n], 1.0);
  return length;
}

std::vector<std::vector<GlobalIndex>> elements_by_rank(const mesh::MeshData& mesh, std::span<const Rank> owners,
                                                       Rank ranks)
{
  std::vector<std::vector<GlobalIndex>> held(static_cast<std::size_t>(ranks));
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    std::array<Rank, 4> holders{};
    for (std::size_t a = 0; a < 4; ++a) holders[a] = owners[static_cast<std::size_t>(mesh.tets[e][a])];
    std::sort(holders.begin(), holders.end());
    for (std::size_t a = 0; a < 4; ++a)
      if (a == 0 || holders[a] != holders[a - 1])
        held[static_cast<std::size_t>(holders[a])].push_back(static_cast<GlobalIndex>(e));
  }
  return held;
}

Part distribute(const Comm& comm, WholeMesh whole)
{
  if (comm.rank() != 0) {
    Records records;
    records.nodes = receive<NodeRecord>(comm, 0);
    records.elements = receive<ElementRecord>(comm, 0);
    records.faces = receive<MarkedFace<NodeId>>(comm, 0);
    records.surface_marks = receive<std::uint64_t>(comm, 0).front();
    return build(comm.rank(), records);
  }
  const auto sizes = node_sizes(whole.data);
  const auto held = elements_by_rank(whole.data, whole.owners, comm.size());
  for (Rank r = 1; r < comm.size(); ++r) {
    const Records records = records_of(whole, sizes, held[static_cast<std::size_t>(r)], r);
    send(comm, records.nodes, r);
    send(comm, records.elements, r);
    send(comm, records.faces, r);
    send(comm, std::vector{records.surface_marks}, r);
  }
  const Records mine = records_of(whole, sizes, held[0], 0);
  whole = {};
  return build(0, mine);
}

}  // namespace sunder::partition
