#include "simulation/forecast/limit.hpp"

#include "element/make_model.hpp"
#include "partition/bey.hpp"
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
using Sizes = std::array<double, 4>;  ///< Mesh sizes of the corners [m]; linear along edges, halved by each division.

double mean(const Sizes& s)
{
  return (s[0] + s[1] + s[2] + s[3]) / 4;
}

Shape part_of(const std::array<Vec3, 10>& x, const std::array<double, 10>& sizes, std::size_t part, int level)
{
  const double scale = std::exp2(1 - level);  // of a part of the first division
  const Sizes of_part{sizes[partition::bey_children[part][0]], sizes[partition::bey_children[part][1]],
                      sizes[partition::bey_children[part][2]], sizes[partition::bey_children[part][3]]};
  Shape shape;
  const Vec3& origin = x[partition::bey_children[part][0]];
  for (std::size_t a = 0; a < 4; ++a) shape.corners[a] = scale * (x[partition::bey_children[part][a]] - origin);
  const double h = scale * mean(of_part) / 2;
  shape.size = {h, h};
  return shape;
}

/// All shapes that an element's parts have, with bounds of their mesh sizes.
std::vector<Shape> shapes_of(const Corners& X, const Sizes& sizes, int level)
{
  if (level == 0) return {{X, {mean(sizes), mean(sizes)}}};
  const auto order = partition::best_order(X);
  const auto x = partition::with_middles<Vec3>({X[order[0]], X[order[1]], X[order[2]], X[order[3]]});
  const auto s = partition::with_middles<double>({sizes[order[0]], sizes[order[1]], sizes[order[2]], sizes[order[3]]});
  std::vector<Shape> shapes;
  for (std::size_t part = 0; part < 8; ++part) shapes.push_back(part_of(x, s, part, level));
  if (level == 1) return shapes;
  // Corner parts keep a corner: of their other corners only a share of 2^-level differs from it. Other shapes may lie
  // anywhere, yet the mean of their sizes is between those of the corner parts, as sizes are linear.
  const double scale = std::exp2(-level), sum = s[0] + s[1] + s[2] + s[3];
  Range all{std::numeric_limits<double>::infinity(), 0};
  for (std::size_t a = 0; a < 4; ++a) {
    const double h = scale * (s[a] + scale * (sum - 4 * s[a]) / 4);
    shapes[a].size = {h, h};
    all = {std::min(all.least, h), std::max(all.most, h)};
  }
  for (std::size_t part = 4; part < 8; ++part) shapes[part].size = all;
  return shapes;
}

/// Calls visit(body, material, shapes) for each element.
template <class Visit>
void for_each_element(const config::Scene& scene, const SceneMesh& mesh,
                      const std::vector<material::Material>& materials, const Visit& visit)
{
  const partition::WholeMesh& whole = mesh.whole;
  const std::vector<double> sizes = partition::node_sizes(whole.data);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (GlobalIndex e = mesh.first_element[b]; e < mesh.first_element[b + 1]; ++e) {
      const auto i = static_cast<std::size_t>(e);
      Corners X;
      Sizes h{};
      for (std::size_t a = 0; a < 4; ++a) {
        const auto n = static_cast<std::size_t>(whole.data.tets[i][a]);
        X[a] = whole.data.nodes[n], h[a] = sizes[n];
      }
      visit(b, materials[whole.element_materials[i]], shapes_of(X, h, scene.bodies[b].mesh.refine));
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
