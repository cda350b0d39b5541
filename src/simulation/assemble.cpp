#include "simulation/assemble.hpp"

#include "core/error.hpp"
#include "io/mesh_reader.hpp"
#include "io/mesher.hpp"
#include "mesh/mesh_check.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace sunder::simulation {
namespace {

/// A body with its mesh in the world.
struct PlacedBody {
  const config::Body* body = nullptr;
  mesh::MeshData mesh;
  std::vector<MaterialIndex> materials;
};

mesh::MeshData load(const config::Body& body, std::vector<std::string>& warnings)
{
  const config::MeshSource& source = body.mesh;
  mesh::MeshData data = source.file.empty() ? io::mesh_geometry(source.geometry, source.size, source.grading)
                                            : io::read_mesh(source.file);
  const std::string& name = source.file.empty() ? source.geometry : source.file;
  const mesh::MeshReport report =
      mesh::check_mesh(data, body.split_hinges == "split" ? mesh::Hinges::split : mesh::Hinges::report);
  for (const auto& note : report.notes) warnings.push_back(fmt::format("{}: {}", name, note));
  if (!report.errors.empty()) throw Error(fmt::format("{}: {}", name, fmt::join(report.errors, "; ")));
  return data;
}

std::vector<MaterialIndex> element_materials(const config::Body& body, const mesh::MeshData& data)
{
  std::vector<MaterialIndex> materials(data.tets.size(), body.material);
  for (const config::Region& region : body.regions) {
    const auto set = std::find_if(data.element_sets.begin(), data.element_sets.end(),
                                  [&region](const auto& s) { return s.name == region.set; });
    if (set == data.element_sets.end()) {
      std::vector<std::string> names;
      for (const auto& s : data.element_sets) names.push_back(s.name);
      throw Error(fmt::format("bodies.{}.regions: expected an element set of the mesh ({}), got '{}'", body.name,
                              fmt::join(names, " "), region.set));
    }
    for (const GlobalIndex e : set->elements) materials[static_cast<std::size_t>(e)] = region.material;
  }
  return materials;
}

PlacedBody place(const config::Body& body, std::vector<std::string>& warnings)
{
  PlacedBody placed{&body, load(body, warnings), {}};
  placed.materials = element_materials(body, placed.mesh);
  const Mat3 rotation = Eigen::AngleAxisd(body.rotation_angle, body.rotation_axis.normalized()).toRotationMatrix();
  for (Vec3& x : placed.mesh.nodes) x = rotation * (body.mesh.scale * x) + body.position;
  return placed;
}

Vec3 centre_of_mass(const PlacedBody& placed, const std::vector<material::Material>& materials)
{
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  for (std::size_t e = 0; e < placed.mesh.tets.size(); ++e) {
    std::array<Vec3, 4> x;
    for (std::size_t a = 0; a < 4; ++a) x[a] = placed.mesh.nodes[static_cast<std::size_t>(placed.mesh.tets[e][a])];
    const double m = materials[placed.materials[e]].density * (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6;
    mass += m, moment += m / 4 * (x[0] + x[1] + x[2] + x[3]);
  }
  return moment / mass;
}

bool inside(const config::Selection& where, const Vec3& x)
{
  constexpr double slack = 1e-9;  // so that a box that ends on a face takes the face's nodes whatever the round-off
  if (where.box) {
    const auto& [low, high] = *where.box;
    const double s = slack * std::max(1.0, (high - low).cwiseAbs().maxCoeff());
    if ((x.array() < low.array() - s).any() || (x.array() > high.array() + s).any()) return false;
  }
  if (where.sphere && (x - where.sphere->center).norm() > where.sphere->radius * (1 + slack)) return false;
  if (where.cylinder) {
    const Vec3 r = x - where.cylinder->point, axis = where.cylinder->axis.normalized();
    if ((r - axis * axis.dot(r)).norm() > where.cylinder->radius * (1 + slack)) return false;
  }
  return true;
}

std::vector<GlobalIndex> selected(const config::BoundaryCondition& condition, const PlacedBody& placed)
{
  const config::Selection& where = condition.where;
  std::vector<GlobalIndex> nodes;
  if (where.set.empty()) {
    for (std::size_t n = 0; n < placed.mesh.nodes.size(); ++n) nodes.push_back(static_cast<GlobalIndex>(n));
  } else {
    for (const auto& set : placed.mesh.node_sets)
      if (set.name == where.set) nodes.insert(nodes.end(), set.nodes.begin(), set.nodes.end());
  }
  std::erase_if(nodes, [&](GlobalIndex n) { return !inside(where, placed.mesh.nodes[static_cast<std::size_t>(n)]); });
  return nodes;
}

void mark(const config::Scene& scene, const std::vector<PlacedBody>& bodies, const std::vector<GlobalIndex>& first_node,
          std::vector<std::uint64_t>& marks)
{
  if (scene.boundary.size() > 64)
    throw Error(fmt::format("boundary: expected at most 64 conditions, got {}", scene.boundary.size()));
  for (std::size_t k = 0; k < scene.boundary.size(); ++k) {
    const config::BoundaryCondition& condition = scene.boundary[k];
    std::size_t count = 0;
    std::vector<std::string> known;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (!condition.where.body.empty() && condition.where.body != bodies[b].body->name) continue;
      for (const auto& set : bodies[b].mesh.node_sets) known.push_back(set.name);
      for (const GlobalIndex n : selected(condition, bodies[b])) {
        marks[static_cast<std::size_t>(first_node[b] + n)] |= std::uint64_t{1} << k;
        ++count;
      }
    }
    if (!condition.where.set.empty() && std::find(known.begin(), known.end(), condition.where.set) == known.end())
      throw Error(fmt::format("boundary.{}.where.set: expected a node or face set of the mesh ({}), got '{}'",
                              condition.name, fmt::join(known, " "), condition.where.set));
    if (count == 0)
      throw Error(fmt::format("boundary.{}.where: expected at least one node there, got none", condition.name));
  }
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more)
{
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

partition::WholeMesh assemble(const config::Scene& scene, std::vector<std::string>& warnings)
{
  std::vector<PlacedBody> bodies;
  for (const config::Body& body : scene.bodies) bodies.push_back(place(body, warnings));

  partition::WholeMesh whole;
  std::vector<GlobalIndex> first_node;
  for (const PlacedBody& placed : bodies) {
    first_node.push_back(static_cast<GlobalIndex>(whole.data.nodes.size()));
    const Vec3 centre = centre_of_mass(placed, scene.materials);
    for (const Vec3& x : placed.mesh.nodes)
      whole.node_velocities.push_back(placed.body->velocity + placed.body->spin.cross(x - centre));
    append(whole.data.nodes, placed.mesh.nodes);
    append(whole.data.node_labels, placed.mesh.node_labels);
    append(whole.data.element_labels, placed.mesh.element_labels);
    append(whole.element_materials, placed.materials);
    for (auto tet : placed.mesh.tets) {
      for (GlobalIndex& n : tet) n += first_node.back();
      whole.data.tets.push_back(tet);
    }
  }
  whole.node_marks.resize(whole.data.nodes.size(), 0);
  mark(scene, bodies, first_node, whole.node_marks);
  return whole;
}

}  // namespace sunder::simulation
