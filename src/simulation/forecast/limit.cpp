#include "simulation/forecast/limit.hpp"

#include "element/make_model.hpp"
#include "partition/refine/bey.hpp"
#include "partition/refine/refined_sizes.hpp"
#include "simulation/setup/placed_materials.hpp"
#include "simulation/setup/setup.hpp"
#include "simulation/stepping/contact_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::simulation {
namespace {

/// One shape of part: an element of the refined mesh, or several alike. Its mesh size is the mean of its corners'.
struct Shape {
  std::array<Vec3, 4> corners;
  Range size;  ///< [m]
};

using Corners = std::array<Vec3, 4>;

/// An element of the coarse mesh, corners in the order in which it is divided.
struct Coarse {
  Corners X;
  std::array<GlobalIndex, 4> nodes{};
  std::array<double, 4> sizes{};  ///< Mesh sizes of the corners [m]
};

double mean(const std::array<double, 4>& s)
{
  return (s[0] + s[1] + s[2] + s[3]) / 4;
}

/// Mesh sizes of the corners and of the nodes inside edges after `level` divisions, in the order of with_middles() [m].
std::array<double, 10> sizes_at_edges(const Coarse& e, const partition::RefinedSizes& refined, int level)
{
  std::array<double, 10> sizes{};
  std::size_t k = 4;
  for (std::size_t a = 0; a < 4; ++a) {
    sizes[a] = std::exp2(-level) * e.sizes[a];
    for (std::size_t b = a + 1; b < 4; ++b) sizes[k++] = std::exp2(-level) * refined.in_edge(e.nodes[a], e.nodes[b]);
  }
  return sizes;
}

/// Bounds of the mesh sizes of all nodes that are not corners of the coarse mesh [m].
Range sizes_of_new_nodes(const Coarse& e, const partition::RefinedSizes& refined, int level,
                         const std::array<double, 10>& at_edges)
{
  const double inside = std::exp2(-level) * partition::RefinedSizes::in_element(e.X);
  Range range{inside, inside};
  const auto add = [&range](double h) { range = {std::min(range.least, h), std::max(range.most, h)}; };
  std::for_each(at_edges.begin() + 4, at_edges.end(), add);
  for (const auto& face : mesh::face_corners)
    add(std::exp2(-level) * refined.in_face(e.nodes[face[0]], e.nodes[face[1]], e.nodes[face[2]]));
  return range;
}

/// All shapes that an element's parts have, with bounds of their mesh sizes.
std::vector<Shape> shapes_of(const Coarse& e, const partition::RefinedSizes& refined, int level)
{
  if (level == 0) return {{e.X, {mean(e.sizes), mean(e.sizes)}}};
  const auto x = partition::with_middles<Vec3>(e.X);
  const auto sizes = sizes_at_edges(e, refined, level);
  std::vector<Shape> shapes;
  for (const auto& child : partition::bey_children) {
    Shape shape;
    for (std::size_t a = 0; a < 4; ++a) shape.corners[a] = std::exp2(1 - level) * (x[child[a]] - x[child[0]]);
    const double h = mean({sizes[child[0]], sizes[child[1]], sizes[child[2]], sizes[child[3]]});
    shape.size = {h, h};
    shapes.push_back(shape);
  }
  if (level == 1) return shapes;
  // The parts at the corners are known, and are of one shape. The others, and more of that shape, may lie anywhere.
  const Range range = sizes_of_new_nodes(e, refined, level, sizes);
  for (std::size_t part = 4; part < 8; ++part) shapes[part].size = range;
  shapes.push_back({shapes[0].corners, range});
  return shapes;
}

/// (elements) is it divided?
std::vector<bool> refined_elements(const config::Scene& scene, const SceneMesh& mesh)
{
  std::vector<bool> refined(mesh.whole.data.tets.size(), false);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (GlobalIndex e = mesh.first_element[b]; e < mesh.first_element[b + 1]; ++e)
      refined[static_cast<std::size_t>(e)] = scene.bodies[b].mesh.refine > 0;
  return refined;
}

/// Calls visit(body, material, shapes) for each element.
template <class Visit>
void for_each_element(const config::Scene& scene, const SceneMesh& mesh,
                      const std::vector<material::Material>& materials, const Visit& visit)
{
  const partition::WholeMesh& whole = mesh.whole;
  const std::vector<double> sizes = partition::node_sizes(whole.data);
  const partition::RefinedSizes refined(whole.data, refined_elements(scene, mesh));
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (GlobalIndex e = mesh.first_element[b]; e < mesh.first_element[b + 1]; ++e) {
      const auto i = static_cast<std::size_t>(e);
      Corners X;
      for (std::size_t a = 0; a < 4; ++a) X[a] = whole.data.nodes[static_cast<std::size_t>(whole.data.tets[i][a])];
      const auto order = partition::best_order(X);
      Coarse element;
      for (std::size_t a = 0; a < 4; ++a) {
        element.nodes[a] = whole.data.tets[i][order[a]], element.X[a] = X[order[a]];
        element.sizes[a] = sizes[static_cast<std::size_t>(element.nodes[a])];
      }
      visit(b, materials[whole.element_materials[i]], shapes_of(element, refined, scene.bodies[b].mesh.refine));
    }
}

}  // namespace

LimitForecast limit_forecast(const config::Scene& scene, const SceneMesh& mesh)
{
  const std::vector<material::Material> materials = place_materials(scene).all;
  double least_compliance = std::numeric_limits<double>::infinity();
  if (scene.collisions.enabled)
    for_each_element(scene, mesh, materials, [&](std::size_t, const material::Material& m, const auto& shapes) {
      for (const Shape& shape : shapes)
        least_compliance = std::min(least_compliance, shape.size.least / m.p_wave_modulus());
    });
  const auto obstacles = completed_obstacles(scene, refined_measure(mesh.whole).size);
  const ContactStiffness contacts(scene.collisions, obstacles, least_compliance);
  const element::StepOptions options{scene.time.viscosity_cap, scene.time.mass_scaling_step};
  constexpr double infinite = std::numeric_limits<double>::infinity();
  LimitForecast limit{{infinite, infinite}, "elastic", ""};
  for_each_element(scene, mesh, materials, [&](std::size_t b, const material::Material& m, const auto& shapes) {
    for (const Shape& shape : shapes) {
      const auto& x = shape.corners;
      const double volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6;
      const element::ElementLimit own = element_limit(options, element::shape_gradients(x), m, volume);
      const auto contact = [&](double size) { return contacts.step(size / m.p_wave_modulus(), m.density * volume, x); };
      const Range steps{step_together(own.step, contact(shape.size.least)),
                        step_together(own.step, contact(shape.size.most))};
      limit.seconds.most = std::min(limit.seconds.most, steps.most);
      if (!(steps.least < limit.seconds.least)) continue;
      limit.seconds.least = steps.least, limit.body = scene.bodies[b].name;
      limit.kind = contact(shape.size.least) < own.step ? "contact" : own.viscous ? "viscous" : "elastic";
    }
  });
  return limit;
}

}  // namespace sunder::simulation
