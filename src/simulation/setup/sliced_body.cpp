#include "simulation/setup/sliced_body.hpp"

#include "core/error.hpp"
#include "io/mesh_files/mesh_slice_reader.hpp"
#include "mesh/mesh_check.hpp"
#include "partition/across_ranks/tree.hpp"
#include "partition/distribute/deal_mesh.hpp"
#include "partition/slices/slice_corners.hpp"
#include "simulation/setup/coincident_nodes.hpp"
#include "simulation/setup/placement.hpp"
#include "simulation/setup/scene_mesh.hpp"

#include <algorithm>

namespace sunder::simulation {
namespace {

using mesh::Fault;
using partition::Finding;

/// What a rank sees of its elements' shapes.
struct Shapes {
  std::vector<std::uint8_t> used;  // one a node of this rank's block
  std::vector<Vec3> centroids;
  std::vector<std::array<double, 4>> masses;  // if the body spins
  std::vector<Finding> findings;
};

class ShapePass {
public:
  ShapePass(const Comm& comm, const SlicedBody& body, mesh::MeshSlice& slice,
            const std::vector<MaterialIndex>& materials)
    : comm_(comm), body_(body), slice_(slice), materials_(materials), placement_(*body.body)
  {
  }

  /// Collective. Once more if all elements turn out to be the other way round.
  Shapes shapes()
  {
    Shapes shapes = pass();
    std::int64_t positive = static_cast<std::int64_t>(slice_.tets.size() - shapes.findings.size());
    if (comm_.sum(positive) == 0 && comm_.max(static_cast<std::int64_t>(has_inverted(shapes))) > 0) {
      for (auto& tet : slice_.tets) std::swap(tet[2], tet[3]);
      shapes = pass();
    }
    return shapes;
  }

private:
  static bool has_inverted(const Shapes& shapes)
  {
    return std::any_of(shapes.findings.begin(), shapes.findings.end(),
                       [](const Finding& f) { return f.fault == Fault::inverted; });
  }

  Shapes pass()
  {
    Shapes shapes;
    shapes.used.resize(slice_.nodes.size(), 0);
    shapes.centroids.reserve(slice_.tets.size());
    partition::visit_corners(comm_, slice_, shapes.used, [&](std::size_t e, std::array<Vec3, 4> x) {
      if (const auto fault = mesh::fault_of_shape(x))
        shapes.findings.push_back({*fault, static_cast<std::int32_t>(body_.number),
                                   static_cast<std::uint64_t>(slice_.first_tet) + e, slice_.element_labels[e]});
      for (Vec3& corner : x) corner = placement_(corner);
      Vec3 centre = Vec3::Zero();
      for (const Vec3& corner : x) centre += corner;
      shapes.centroids.push_back(0.25 * centre);
      if (spins(*body_.body)) shapes.masses.push_back(mass_and_moment(x, (*body_.materials)[materials_[e]].density));
    });
    return shapes;
  }

  const Comm& comm_;
  const SlicedBody& body_;
  mesh::MeshSlice& slice_;
  const std::vector<MaterialIndex>& materials_;
  Placement placement_;
};

/// Collective. Throws Error on every rank for a region that is no set.
std::vector<MaterialIndex> element_materials(const Comm& comm, const SlicedBody& body, const mesh::MeshSlice& slice)
{
  std::vector<std::pair<std::size_t, MaterialIndex>> of_sets;
  on_every_rank(comm, [&] { of_sets = materials_of_sets(*body.body, slice.element_sets); });
  std::vector<MaterialIndex> of_list;
  for (const auto& list : slice.set_lists) {
    MaterialIndex material = body.body->material;
    for (const auto& [set, of_set] : of_sets)
      if (std::find(list.begin(), list.end(), static_cast<std::int32_t>(set)) != list.end()) material = of_set;
    of_list.push_back((*body.placed_material)[material]);
  }
  std::vector<MaterialIndex> materials(slice.tets.size(), of_list.front());
  for (std::size_t e = 0; e < slice.tet_sets.size(); ++e)
    materials[e] = of_list[static_cast<std::size_t>(slice.tet_sets[e])];
  return materials;
}

struct RowMarks {
  GlobalIndex row = 0;
  std::uint64_t marks = 0;
};

/// Collective. Marks of the nodes of this rank's block, and the faces that have some.
std::vector<std::uint64_t> node_marks(const Comm& comm, const mesh::MeshSlice& slice, const BodyMarks& marks,
                                      std::vector<partition::MarkedFace<GlobalIndex>>& faces)
{
  std::vector<RowMarks> told;
  for (const auto& [node, set] : slice.set_nodes)
    if (const auto of_set = marks.of(slice.node_sets[static_cast<std::size_t>(set)])) told.push_back({node, of_set});
  for (const auto& [nodes, set] : slice.set_faces) {
    const auto of_set = marks.of(slice.face_sets[static_cast<std::size_t>(set)].name);
    if (of_set == 0) continue;
    faces.push_back({nodes, of_set});
    for (const GlobalIndex n : nodes) told.push_back({n, of_set});
  }
  std::vector<std::uint64_t> of_nodes(slice.nodes.size(), marks.everywhere);
  partition::tell_rows<RowMarks>(
      comm, {slice.all_nodes, comm.size()}, told, [](const RowMarks& m) { return m.row; },
      [&](const RowMarks& m) { of_nodes[static_cast<std::size_t>(m.row - slice.first_node)] |= m.marks; });
  return of_nodes;
}

void take_elements(const SlicedBody& body, mesh::MeshSlice& slice, const std::vector<MaterialIndex>& materials,
                   std::vector<partition::SlicedElement>& elements)
{
  elements.reserve(slice.tets.size());
  for (std::size_t e = 0; e < slice.tets.size(); ++e) {
    partition::SlicedElement element;
    element.position = partition::place_in_input(body.number, slice.first_tet + static_cast<GlobalIndex>(e));
    element.label = slice.element_labels[e], element.nodes = slice.tets[e];
    element.material = materials[e], element.level = static_cast<std::uint8_t>(body.body->mesh.refine);
    elements.push_back(element);
  }
  slice.tets = {}, slice.element_labels = {}, slice.tet_sets = {};
}

}  // namespace

mesh::MeshSlice load_slice(const Comm& comm, const config::Body& body)
{
  const config::MeshSource& source = body.mesh;
  bool in_shares = false;
  on_rank_0(comm, [&] { in_shares = !source.file.empty() && io::has_slices(source.file); });
  if (comm.max(static_cast<std::int64_t>(in_shares)) > 0) return io::read_mesh_slice(comm, source.file);
  mesh::MeshData data;
  on_rank_0(comm, [&] { data = whole_mesh_of(source); });
  return partition::deal_mesh(comm, std::move(data));
}

PlacedSlice place_slice(const Comm& comm, const SlicedBody& body, mesh::MeshSlice slice, const BodyMarks& marks)
{
  PlacedSlice placed;
  const auto materials = element_materials(comm, body, slice);
  Shapes shapes = ShapePass(comm, body, slice, materials).shapes();
  placed.findings = std::move(shapes.findings), placed.centroids = std::move(shapes.centroids);
  take_elements(body, slice, materials, placed.slice.elements);
  find_coincident_nodes(comm, body.number, slice, shapes.used, placed.slice.elements, placed.findings);

  Vec3 centre = Vec3::Zero();
  if (spins(*body.body)) {
    const auto sum = partition::sum_in_order<4>(comm, shapes.masses);
    centre = Vec3(sum[1], sum[2], sum[3]) / sum[0];
  }
  const auto node_mark = node_marks(comm, slice, marks, placed.slice.faces);
  for (const auto& set : slice.face_sets) placed.surface_marks |= marks.of(set.name);
  const Placement placement(*body.body);
  placed.slice.rows = {slice.all_nodes, comm.size()};
  for (std::size_t n = 0; n < slice.nodes.size(); ++n) {
    const GlobalIndex row = slice.first_node + static_cast<GlobalIndex>(n);
    if (!shapes.used[n]) {
      if (slice.repeated.empty() || !slice.repeated[n])
        placed.findings.push_back({slice.second_order ? Fault::mid_node : Fault::unused,
                                   static_cast<std::int32_t>(body.number), static_cast<std::uint64_t>(row),
                                   slice.node_labels[n]});
      continue;
    }
    partition::SlicedNode node;
    node.position = partition::place_in_input(body.number, row), node.number = row, node.label = slice.node_labels[n];
    const Vec3 x = placement(slice.nodes[n]), v = initial_velocity(*body.body, x, centre);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto axis = static_cast<Eigen::Index>(i);
      node.X[i] = x[axis], node.v[i] = v[axis];
    }
    node.marks = node_mark[n];
    placed.slice.nodes.push_back(node);
  }
  return placed;
}

}  // namespace sunder::simulation
