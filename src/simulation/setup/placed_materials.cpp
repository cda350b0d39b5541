#include "simulation/setup/placed_materials.hpp"

#include "core/error.hpp"
#include "core/sort_unique.hpp"
#include "fracture/exclusion.hpp"
#include "simulation/setup/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sunder::simulation {
namespace {

std::vector<MaterialIndex> materials_of(const config::Body& body)
{
  std::vector<MaterialIndex> used{body.material};
  for (const config::Region& region : body.regions) used.push_back(region.material);
  return used;
}

/// Is the force of a toughness another one in the refined body?
bool rescaled_in(const config::Body& body, material::ToughnessForm form, const material::ReferenceSize& reference)
{
  return body.mesh.refine > 0 && form == material::ToughnessForm::force &&
         reference.kind == material::ReferenceSize::Kind::unrefined;
}

/// Is material m, or an interface it has part in, another one in this body than in the scene?
bool differs_in(const config::Body& body, MaterialIndex m, const config::Scene& scene)
{
  const material::Material& own = scene.materials[m];
  if (body.rotation_angle != 0 && own.has_directions()) return true;
  return rescaled_in(body, own.toughness_form, own.reference) ||
         std::any_of(scene.interfaces.begin(), scene.interfaces.end(), [&](const material::Interface& i) {
           return (i.a == m || i.b == m) && rescaled_in(body, i.form, i.reference);
         });
}

material::Material material_in(const config::Body& body, const material::Material& own)
{
  material::Material m = body.rotation_angle == 0 ? own : material::turned(own, Placement(body).rotation());
  if (m.toughness_form == material::ToughnessForm::force)
    m.toughness = material::refined_force(m.toughness, m.reference, body.mesh.refine);
  return m;
}

}  // namespace

PlacedMaterials place_materials(const config::Scene& scene)
{
  PlacedMaterials placed{scene.materials, {}, scene.interfaces};
  for (const config::Body& body : scene.bodies) {
    auto& of_body = placed.of_body.emplace_back(scene.materials.size());
    std::iota(of_body.begin(), of_body.end(), MaterialIndex{0});
    for (const MaterialIndex m : materials_of(body)) {
      if (of_body[m] != m || !differs_in(body, m, scene)) continue;
      if (placed.all.size() > std::numeric_limits<MaterialIndex>::max())
        throw AgreedError(
            fmt::format("bodies.{}: expected at most {} materials with their copies for bodies that are turned or "
                        "refined, got more",
                        body.name, placed.all.size()));
      of_body[m] = static_cast<MaterialIndex>(placed.all.size());
      placed.all.push_back(material_in(body, scene.materials[m]));
    }
    for (material::Interface between : scene.interfaces) {
      const MaterialIndex a = of_body[between.a], b = of_body[between.b];
      if (a == between.a && b == between.b) continue;
      between.a = a, between.b = b;
      if (between.form == material::ToughnessForm::force)
        between.toughness = material::refined_force(between.toughness, between.reference, body.mesh.refine);
      placed.interfaces.push_back(between);
    }
  }
  return placed;
}

std::vector<std::string> notes_on_forces(const config::Scene& scene)
{
  std::vector<std::string> notes;
  const auto note = [&notes](const config::Body& body, const std::string& key) {
    notes.push_back(fmt::format(
        "bodies.{0}.mesh.refine {1}: {2}.toughness.force holds for any size of elements, so the refined mesh is in "
        "effect {3:.3g} times as tough; with reference_size: unrefined beside the force it stays as tough as it was",
        body.name, body.mesh.refine, key, std::exp2(1.5 * body.mesh.refine)));
  };
  const auto fixed = [](const material::ReferenceSize& reference) {
    return reference.kind == material::ReferenceSize::Kind::none;
  };
  for (const config::Body& body : scene.bodies) {
    if (body.mesh.refine == 0 || !scene.fracture.enabled) continue;
    std::vector<MaterialIndex> used = materials_of(body);
    sort_unique(used);
    for (const MaterialIndex m : used)
      if (scene.materials[m].is_force() && fixed(scene.materials[m].reference))
        note(body, "materials." + scene.materials[m].name);
    for (const material::Interface& i : scene.interfaces)
      if (i.form == material::ToughnessForm::force && std::isfinite(i.toughness) && fixed(i.reference) &&
          std::binary_search(used.begin(), used.end(), i.a) && std::binary_search(used.begin(), used.end(), i.b))
        note(body, fmt::format("interfaces between {} and {}", scene.materials[i.a].name, scene.materials[i.b].name));
  }
  return notes;
}

std::vector<std::string> notes_on_cohesion(std::span<const material::Material> materials,
                                           std::span<const material::Interface> interfaces, double size,
                                           double exclusion)
{
  std::vector<std::string> notes;
  const auto note = [&](const std::string& of, double zone) {
    if (zone < 2 * size)
      notes.push_back(fmt::format(
          "{}: the zone in which a crack holds together is {:.3g} m long, less than two elements of {:.3g} m: cracks "
          "start late or take a lesser strength; elements of {:.3g} m would do",
          of, zone, size, zone / 2));
    if (const double reach = fracture::Reach::most_edges * size; exclusion * zone > reach)
      notes.push_back(
          fmt::format("{}: fracture.exclusion {:.3g} asks for {:.3g} m, but it reaches {} elements at most, some "
                      "{:.3g} m here: as much as {:.3g} asks for",
                      of, exclusion, exclusion * zone, fracture::Reach::most_edges, reach, reach / zone));
  };
  for (const material::Material& m : materials)
    if (m.cohesion.energy > 0) note(fmt::format("materials.{}.toughness", m.name), process_zone(m));
  for (const material::Interface& i : interfaces)
    if (const auto& a = materials[i.a], &b = materials[i.b]; i.cohesion.energy > 0)
      note(fmt::format("the interface between {} and {}", a.name, b.name), process_zone(i, a, b));
  sort_unique(notes);  // copies of a material for several bodies
  return notes;
}

}  // namespace sunder::simulation
