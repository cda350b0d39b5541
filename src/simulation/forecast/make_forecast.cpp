#include "simulation/forecast/make_forecast.hpp"

#include "simulation/crack_fronts.hpp"
#include "simulation/forecast/limit.hpp"
#include "simulation/forecast/selection_counts.hpp"
#include "simulation/probes.hpp"
#include "simulation/sections.hpp"
#include "simulation/setup/fast_motions.hpp"
#include "simulation/setup/placed_materials.hpp"
#include "simulation/setup/placement.hpp"
#include "simulation/setup/small_obstacles.hpp"
#include "simulation/setup/unloaded_scene.hpp"

#include <algorithm>
#include <limits>

namespace sunder::simulation {
namespace {

BodyForecast body_forecast(const config::Scene& scene, const SceneMesh& mesh, std::size_t b,
                           const std::vector<material::Material>& materials, const partition::MeshEntities& entities)
{
  const partition::WholeMesh& whole = mesh.whole;
  BodyForecast body;
  body.name = scene.bodies[b].name;
  body.low = body.high = whole.data.nodes[static_cast<std::size_t>(mesh.first_node[b])];
  for (GlobalIndex n = mesh.first_node[b]; n < mesh.first_node[b + 1]; ++n) {
    const Vec3& x = whole.data.nodes[static_cast<std::size_t>(n)];
    body.low = body.low.cwiseMin(x), body.high = body.high.cwiseMax(x);
  }
  for (GlobalIndex e = mesh.first_element[b]; e < mesh.first_element[b + 1]; ++e) {
    const auto i = static_cast<std::size_t>(e);
    std::array<Vec3, 4> x;
    for (std::size_t a = 0; a < 4; ++a) x[a] = whole.data.nodes[static_cast<std::size_t>(whole.data.tets[i][a])];
    body.mass += mass_and_moment(x, materials[whole.element_materials[i]].density)[0];
  }
  const partition::MeshCounts counts = partition::refined(
      {mesh.first_node[b + 1] - mesh.first_node[b], static_cast<GlobalIndex>(entities.edges.size()),
       static_cast<GlobalIndex>(entities.faces.size()), mesh.first_element[b + 1] - mesh.first_element[b]},
      scene.bodies[b].mesh.refine);
  body.nodes = counts.nodes, body.elements = counts.elements;
  return body;
}

/// Places of probes, planes of sections and tubes around crack fronts are those of the coarse mesh, for that fills the
/// same body. Throws Error.
void check_measured_places(const config::Scene& scene, const SceneMesh& scene_mesh)
{
  const mesh::MeshData& data = scene_mesh.whole.data;
  const auto any_element = [&](const auto& test) {
    return std::any_of(data.tets.begin(), data.tets.end(), [&](const std::array<GlobalIndex, 4>& tet) {
      std::array<Vec3, 4> x;
      for (std::size_t a = 0; a < 4; ++a) x[a] = data.nodes[static_cast<std::size_t>(tet[a])];
      return test(x);
    });
  };
  for (const config::Probe& probe : scene.output.probes)
    if (probe.at && !any_element([&](const auto& x) { return contains(x, *probe.at); }))
      throw Error(outside_all_bodies(probe.key, *probe.at));
  for (config::Section section : scene.output.sections) {
    section.radius = std::numeric_limits<double>::infinity();  // centroids are those of finer elements
    if (!any_element([&](const auto& x) { return section_cut(section, x).cuts; }))
      throw Error(cuts_no_element(section.key));
  }
  for (const config::CrackFront& front : scene.output.crack_fronts)
    if (!any_element([&](const auto& x) { return in_tube(front, x); })) throw Error(tube_is_empty(front.key));
}

}  // namespace

Forecast make_forecast(const config::Scene& scene)
{
  Forecast f;
  const SceneMesh mesh = scene_mesh(scene, f.warnings);
  f.coarse_nodes = std::ssize(mesh.whole.data.nodes);
  for (std::string& note : notes_on_forces(scene)) f.warnings.push_back(std::move(note));
  for (std::string& note : notes_on_small_obstacles(scene, refined_measure(mesh.whole).size))
    f.warnings.push_back(std::move(note));
  for (std::string& note : notes_on_fast_motions(scene, greatest_speed(mesh.whole.node_velocities)))
    f.warnings.push_back(std::move(note));
  for (std::string& note : notes_on_unloaded_scene(scene)) f.warnings.push_back(std::move(note));
  for (std::string& note : notes_on_crack_fronts(scene.output.crack_fronts, refined_measure(mesh.whole).size))
    f.warnings.push_back(std::move(note));
  const PlacedMaterials placed = place_materials(scene);
  const std::vector<material::Material>& materials = placed.all;
  for (std::string& note :
       notes_on_cohesion(materials, placed.interfaces, refined_measure(mesh.whole).size, scene.fracture.exclusion))
    f.warnings.push_back(std::move(note));
  if (const bool breaks = std::ranges::any_of(materials, &material::Material::breakable);
      breaks && scene.fracture.enabled && scene.time.step > 0 &&
      scene.solver.method == config::Method::explicit_dynamics)
    f.warnings.push_back(
        config::message_key(scene, "time.step") +
        ": cracks make smaller elements, whose stable limit is lower: the run ends where it falls below "
        "this step; expected auto, which follows it, unless nothing breaks");
  const auto entities = entities_of_bodies(scene, mesh);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    f.bodies.push_back(body_forecast(scene, mesh, b, materials, entities[b]));
    f.nodes += f.bodies.back().nodes, f.elements += f.bodies.back().elements;
    const OuterSurface surface = outer_surface(mesh, b);
    f.surface_faces += surface.faces << 2 * scene.bodies[b].mesh.refine;
    if (scene.bodies[b].mesh.refine == 0) f.bodies.back().one_element_thick = surface.thin;
  }
  f.selections = count_selections(scene, mesh, entities);
  f.limit = limit_forecast(scene, mesh);
  check_measured_places(scene, mesh);
  return f;
}

}  // namespace sunder::simulation
