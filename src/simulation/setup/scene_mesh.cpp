#include "simulation/setup/scene_mesh.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/log.hpp"
#include "io/mesh_files/mesh_reader.hpp"
#include "io/surfaces/mesher.hpp"
#include "mesh/mesh_check.hpp"
#include "simulation/setup/body_overlaps.hpp"
#include "simulation/setup/placed_materials.hpp"
#include "simulation/setup/placement.hpp"
#include "simulation/setup/set_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <tuple>

namespace sunder::simulation {
namespace {

/// A body with its mesh in the world.
struct PlacedBody {
  const config::Body* body = nullptr;
  mesh::MeshData mesh;
  std::vector<MaterialIndex> materials;
};

/// Geometries that were meshed, by name, size, grading and what becomes of hinges, for bodies with the same one.
using Loaded = std::map<std::tuple<std::string, double, double, std::string>, mesh::MeshData>;

mesh::MeshData load(const config::Body& body, Loaded& loaded, std::vector<std::string>& warnings)
{
  const config::MeshSource& source = body.mesh;
  const std::tuple key{source.geometry, source.size, source.grading, body.split_hinges};
  if (const auto known = loaded.find(key); known != loaded.end()) return known->second;
  mesh::MeshData data = whole_mesh_of(source);
  const std::string& name = source.file.empty() ? source.geometry : source.file;
  const mesh::MeshReport report =
      mesh::check_mesh(data, body.split_hinges == "split" ? mesh::Hinges::split : mesh::Hinges::report);
  for (const auto& note : report.notes) warnings.push_back(fmt::format("{}: {}", name, note));
  if (!report.errors.empty()) throw Error(fmt::format("{}: {}", name, fmt::join(report.errors, "; ")));
  if (source.file.empty()) loaded.emplace(key, data);
  return data;
}

template <class Set>
std::vector<std::string> names_of(const std::vector<Set>& sets)
{
  std::vector<std::string> names;
  for (const Set& set : sets) names.push_back(set.name);
  return names;
}

std::vector<MaterialIndex> element_materials(const config::Body& body, const mesh::MeshData& data)
{
  std::vector<MaterialIndex> materials(data.tets.size(), body.material);
  for (const auto& [set, material] : materials_of_sets(body, names_of(data.element_sets)))
    for (const GlobalIndex e : data.element_sets[set].elements) materials[static_cast<std::size_t>(e)] = material;
  return materials;
}

PlacedBody place(const config::Body& body, const std::vector<MaterialIndex>& placed_material, Loaded& loaded,
                 std::vector<std::string>& warnings)
{
  PlacedBody placed{&body, load(body, loaded, warnings), {}};
  for (const MaterialIndex m : element_materials(body, placed.mesh)) placed.materials.push_back(placed_material[m]);
  const Placement placement(body);
  for (Vec3& x : placed.mesh.nodes) x = placement(x);
  return placed;
}

Vec3 centre_of_mass(const PlacedBody& placed, const std::vector<material::Material>& materials)
{
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  for (std::size_t e = 0; e < placed.mesh.tets.size(); ++e) {
    std::array<Vec3, 4> x;
    for (std::size_t a = 0; a < 4; ++a) x[a] = placed.mesh.nodes[static_cast<std::size_t>(placed.mesh.tets[e][a])];
    const auto [m, mx, my, mz] = mass_and_moment(x, materials[placed.materials[e]].density);
    mass += m, moment += Vec3(mx, my, mz);
  }
  return moment / mass;
}

/// Gives bit k to the nodes that selection k names by body and set; where they are is asked once the mesh is as fine as
/// it will be (simulation/setup/selection.hpp).
void mark(const config::Scene& scene, const std::vector<PlacedBody>& bodies, const std::vector<GlobalIndex>& first_node,
          partition::WholeMesh& whole)
{
  std::vector<std::vector<std::string>> node_sets;
  for (const PlacedBody& placed : bodies) node_sets.push_back(names_of(placed.mesh.node_sets));
  const std::vector<BodyMarks> marks = marks_of_sets(scene, node_sets);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const mesh::MeshData& data = bodies[b].mesh;
    const auto first = whole.node_marks.begin() + static_cast<std::ptrdiff_t>(first_node[b]);
    std::for_each(first, first + static_cast<std::ptrdiff_t>(data.nodes.size()),
                  [&](auto& of_node) { of_node |= marks[b].everywhere; });
    for (const auto& nodes : data.node_sets)
      for (const GlobalIndex n : nodes.nodes) first[static_cast<std::ptrdiff_t>(n)] |= marks[b].of(nodes.name);
    for (const auto& faces : data.face_sets) {
      const std::uint64_t of_set = marks[b].of(faces.name);
      if (of_set == 0) continue;
      whole.surface_marks |= of_set;
      for (auto face : faces.faces) {
        for (GlobalIndex& n : face) n += first_node[b];
        whole.marked_faces.push_back({face, of_set});
      }
    }
  }
}

/// Around each body's nodes.
std::vector<geometry::Box> boxes_of(const std::vector<PlacedBody>& bodies)
{
  std::vector<geometry::Box> boxes(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (const Vec3& x : bodies[b].mesh.nodes) boxes[b].include(x);
  return boxes;
}

/// As collisions.resolve says.
void resolve_overlaps(const config::Scene& scene, std::vector<PlacedBody>& bodies, std::vector<std::string>& warnings)
{
  const std::string& resolve = scene.collisions.resolve;
  std::vector<BodyInPlace> in_place;
  for (PlacedBody& placed : bodies) in_place.push_back({"bodies." + placed.body->name, &placed.mesh});
  if (scene.collisions.enabled && bodies.size() > 1) {
    if (resolve == "push") push_apart(in_place, warnings);
    if (resolve == "error") refuse_overlaps(config::message_key(scene, "bodies"), in_place);
  }
  note_obstacle_overlaps(in_place, scene.obstacles, warnings);
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more)
{
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

mesh::MeshData whole_mesh_of(const config::MeshSource& source)
{
  if (source.file.empty()) return io::mesh_geometry(source.geometry, source.size, source.grading);
  constexpr std::uintmax_t large = 256'000'000;  // [bytes]
  std::error_code none;
  if (const auto size = std::filesystem::file_size(source.file, none); !none && size > large)
    log_info(
        fmt::format("{}: one rank reads its {:.3g} GB, and has to have room for the mesh; ranks would read slices of "
                    "a binary Gmsh file, or of a VTK file with appended raw data",
                    source.file, static_cast<double>(size) / 1e9));
  return io::read_mesh(source.file);
}

SceneMesh scene_mesh(const config::Scene& scene, std::vector<std::string>& warnings)
{
  allocation_point("set-up: assemble");
  const PlacedMaterials materials = place_materials(scene);
  std::vector<PlacedBody> bodies;
  Loaded loaded;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    bodies.push_back(place(scene.bodies[b], materials.of_body[b], loaded, warnings));
  note_units(scene, boxes_of(bodies), warnings);
  resolve_overlaps(scene, bodies, warnings);

  SceneMesh made{{}, {0}, {0}};
  partition::WholeMesh& whole = made.whole;
  for (const PlacedBody& placed : bodies) {
    const GlobalIndex first_node = made.first_node.back();
    const Vec3 centre = centre_of_mass(placed, materials.all);
    for (const Vec3& x : placed.mesh.nodes) whole.node_velocities.push_back(initial_velocity(*placed.body, x, centre));
    append(whole.data.nodes, placed.mesh.nodes);
    append(whole.data.node_labels, placed.mesh.node_labels);
    append(whole.data.element_labels, placed.mesh.element_labels);
    append(whole.element_materials, placed.materials);
    whole.element_levels.resize(whole.element_materials.size(), static_cast<std::uint8_t>(placed.body->mesh.refine));
    for (auto tet : placed.mesh.tets) {
      for (GlobalIndex& n : tet) n += first_node;
      whole.data.tets.push_back(tet);
    }
    made.first_node.push_back(static_cast<GlobalIndex>(whole.data.nodes.size()));
    made.first_element.push_back(static_cast<GlobalIndex>(whole.data.tets.size()));
  }
  whole.node_marks.resize(whole.data.nodes.size(), 0);
  mark(scene, bodies, made.first_node, whole);
  return made;
}

RefinedMeasure refined_measure(const partition::WholeMesh& whole)
{
  RefinedMeasure measure;
  std::vector<std::uint8_t> level(whole.data.nodes.size(), 0);
  for (std::size_t e = 0; e < whole.data.tets.size(); ++e) {
    measure.elements += GlobalIndex{1} << 3 * whole.element_levels[e];
    for (const GlobalIndex n : whole.data.tets[e]) level[static_cast<std::size_t>(n)] = whole.element_levels[e];
  }
  const auto sizes = partition::node_sizes(whole.data);
  double sum = 0, count = 0;
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    const double nodes = std::exp2(3 * level[n]);
    sum += nodes * std::exp2(-level[n]) * sizes[n], count += nodes;
  }
  measure.size = sum / count;
  return measure;
}

}  // namespace sunder::simulation
