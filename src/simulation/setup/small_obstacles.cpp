#include "simulation/setup/small_obstacles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sunder::simulation {
namespace {

/// The least distance of two parallel planes with the body between them [m]; of a mesh that of its box.
double thickness(const rigid::Body& body)
{
  switch (body.shape) {
    case rigid::Shape::half_space:
      break;
    case rigid::Shape::sphere:
    case rigid::Shape::capsule:
      return 2 * body.radius;
    case rigid::Shape::cylinder:
      return std::min(2 * body.radius, body.length);
    case rigid::Shape::box:
      return body.size.minCoeff();
    case rigid::Shape::mesh:
      return (body.surface->box().high - body.surface->box().low).minCoeff();
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<std::string> notes_on_small_obstacles(const config::Scene& scene, double mesh_size)
{
  std::vector<std::string> notes;
  if (scene.solver.method == config::Method::lattice || scene.solver.method == config::Method::hybrid) return notes;
  for (const contact::Obstacle& obstacle : scene.obstacles)
    if (const double thin = thickness(obstacle); thin < mesh_size)
      notes.push_back(fmt::format(
          "obstacles.{} is {:.3g} m thin, less than the elements, whose edges are {:.3g} m: these may swallow "
          "it and let it through; a smaller mesh.size of the bodies that it meets helps",
          obstacle.name, thin, mesh_size));
  return notes;
}

}  // namespace sunder::simulation
