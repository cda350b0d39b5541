#include "partition/distribute/distribute.hpp"

#include "core/fault_point.hpp"
#include "core/sort_unique.hpp"
#include "partition/across_ranks/transfer.hpp"
#include "partition/halo/holders.hpp"
#include "partition/migration/migration.hpp"

#include <algorithm>
#include <numeric>

namespace sunder::partition {
namespace {

NodeRecord node_record(const WholeMesh& whole, const std::vector<double>& sizes, GlobalIndex n)
{
  const auto i = static_cast<std::size_t>(n);
  NodeRecord record;
  record.id = static_cast<NodeId>(n), record.owner = whole.owners[i];
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    record.X[k] = record.p[k] = whole.data.nodes[i][axis], record.v[k] = whole.node_velocities[i][axis];
  }
  record.size = sizes[i], record.marks = whole.node_marks[i];
  return record;
}

ElementRecord element_record(const WholeMesh& whole, GlobalIndex e)
{
  const auto i = static_cast<std::size_t>(e);
  ElementRecord record;
  record.id = static_cast<ElementId>(e), record.material = whole.element_materials[i];
  for (std::size_t a = 0; a < 4; ++a) record.nodes[a] = static_cast<NodeId>(whole.data.tets[i][a]);
  if (!whole.element_levels.empty()) record.level = whole.element_levels[i];
  return record;
}

/// On rank 0: what each rank is to hold, found in one walk over the elements and one over the marked faces.
class Parts {
public:
  explicit Parts(const WholeMesh& whole)
    : whole_(whole),
      sizes_(node_sizes(whole.data)),
      elements_(held_by_rank(whole.data.tets.size(),
                             [&whole](std::size_t e) { return owners_of(whole.data.tets[e], whole.owners); })),
      faces_(held_by_rank(whole.marked_faces.size(),
                          [&whole](std::size_t f) { return owners_of(whole.marked_faces[f].nodes, whole.owners); }))
  {
  }

  MigrationRecords of(Rank rank) const
  {
    MigrationRecords part;
    std::vector<GlobalIndex> nodes;
    for (const Held& held : of_rank(elements_, rank)) {
      part.elements.rows.push_back(element_record(whole_, held.index));
      const auto& tet = whole_.data.tets[static_cast<std::size_t>(held.index)];
      nodes.insert(nodes.end(), tet.begin(), tet.end());
    }
    sort_unique(nodes);
    for (const GlobalIndex n : nodes) part.nodes.push_back(node_record(whole_, sizes_, n));
    for (const Held& held : of_rank(faces_, rank)) {
      const auto& face = whole_.marked_faces[static_cast<std::size_t>(held.index)];
      part.faces.push_back({{}, face.marks});
      std::copy(face.nodes.begin(), face.nodes.end(), part.faces.back().nodes.begin());
    }
    return part;
  }

private:
  const WholeMesh& whole_;
  std::vector<double> sizes_;
  std::vector<Held> elements_, faces_;
};

/// Each edge counts once for every element around it. This weighted mean needs no list of edges. place(n): of a node
/// [m].
template <class Tets, class Place>
std::vector<double> mean_edges(std::size_t num_nodes, const Tets& tets, const Place& place)
{
  std::vector<double> length(num_nodes, 0), count(num_nodes, 0);
  for (const auto& tet : tets)
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) {
        const auto i = static_cast<std::size_t>(tet[a]), j = static_cast<std::size_t>(tet[b]);
        const double l = (place(i) - place(j)).norm();
        length[i] += l, length[j] += l, ++count[i], ++count[j];
      }
  for (std::size_t n = 0; n < num_nodes; ++n) length[n] /= std::max(count[n], 1.0);
  return length;
}

}  // namespace

std::vector<double> node_sizes(const mesh::MeshData& mesh)
{
  return mean_edges(mesh.nodes.size(), mesh.tets, [&](std::size_t n) { return mesh.nodes[n]; });
}

std::vector<double> node_sizes(const mesh::TetMesh& mesh)
{
  return mean_edges(static_cast<std::size_t>(mesh.num_nodes()), mesh.tets(),
                    [&](std::size_t n) { return mesh.node(static_cast<LocalIndex>(n)).X; });
}

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

Part part_of(Rank me, MigrationRecords records, std::uint64_t surface_marks)
{
  Part part;
  part.velocities.reserve(records.nodes.size()), part.levels.reserve(records.elements.size());
  for (const NodeRecord& r : records.nodes) part.velocities.emplace_back(r.v.data());
  for (const ElementRecord& r : records.elements.rows) part.levels.push_back(r.level);
  part.mesh = mesh_of(me, records);
  for (const auto& face : records.faces)
    if (const auto held = find_face(part.mesh, face.nodes)) part.marked_faces.push_back({*held, face.marks});
  part.surface_marks = surface_marks;
  return part;
}

Part distribute(const Comm& comm, WholeMesh whole)
{
  allocation_point("set-up: distribute");
  if (comm.rank() != 0) {
    MigrationRecords records;
    records.nodes = receive<NodeRecord>(comm, 0);
    records.elements.rows = receive<ElementRecord>(comm, 0);  // of an input mesh: columns are empty
    records.faces = receive<MarkedFace<NodeId>>(comm, 0);
    return part_of(comm.rank(), std::move(records), receive<std::uint64_t>(comm, 0).front());
  }
  const auto send_all = [&] {
    const Parts parts(whole);
    for (Rank r = 1; r < comm.size(); ++r) {
      const MigrationRecords records = parts.of(r);
      send(comm, records.nodes, r);
      send(comm, records.elements.rows, r);
      send(comm, records.faces, r);
      send(comm, std::vector{whole.surface_marks}, r);
    }
    return parts.of(0);
  };
  MigrationRecords mine = send_all();
  const std::uint64_t surface_marks = whole.surface_marks;
  whole = {};
  return part_of(0, std::move(mine), surface_marks);
}

RowSlice rows_by_part(const WholeMesh& whole)
{
  const auto num_nodes = static_cast<GlobalIndex>(whole.data.nodes.size()),
             num_elements = static_cast<GlobalIndex>(whole.data.tets.size());
  std::vector<GlobalIndex> nodes(whole.data.nodes.size()), row(nodes.size()), elements(whole.data.tets.size());
  std::iota(nodes.begin(), nodes.end(), 0), std::iota(elements.begin(), elements.end(), 0);
  const auto owner = [&](GlobalIndex n) { return whole.owners[static_cast<std::size_t>(n)]; };
  const auto lowest = [&](GlobalIndex e) {
    const auto& t = whole.data.tets[static_cast<std::size_t>(e)];
    return std::min({owner(t[0]), owner(t[1]), owner(t[2]), owner(t[3])});
  };
  std::stable_sort(nodes.begin(), nodes.end(), [&](auto a, auto b) { return owner(a) < owner(b); });
  std::stable_sort(elements.begin(), elements.end(), [&](auto a, auto b) { return lowest(a) < lowest(b); });
  for (GlobalIndex k = 0; k < num_nodes; ++k) row[static_cast<std::size_t>(nodes[static_cast<std::size_t>(k)])] = k;

  RowSlice rows;
  rows.all_nodes = num_nodes, rows.all_elements = num_elements;
  const auto sizes = node_sizes(whole.data);
  for (const GlobalIndex n : nodes) rows.nodes.push_back(node_record(whole, sizes, n));
  const auto rows_of = [&row](auto corners) {
    for (GlobalIndex& n : corners) n = row[static_cast<std::size_t>(n)];
    return corners;
  };
  for (const GlobalIndex e : elements) {
    rows.elements.rows.push_back(element_record(whole, e));
    rows.corners.push_back(rows_of(whole.data.tets[static_cast<std::size_t>(e)]));
  }
  for (const auto& face : whole.marked_faces) rows.faces.push_back({rows_of(face.nodes), face.marks});
  return rows;
}

}  // namespace sunder::partition
