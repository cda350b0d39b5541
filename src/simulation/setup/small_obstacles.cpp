#include "simulation/setup/small_obstacles.hpp"

#include <fmt/format.h>

#include <limits>

namespace sunder::simulation {

Vec3 edges_of_box(const rigid::Body& body)
{
  const double r = body.radius;
  switch (body.shape) {
    case rigid::Shape::half_space:
      break;
    case rigid::Shape::sphere:
      return Vec3::Constant(2 * r);
    case rigid::Shape::capsule:
      return {2 * r, 2 * r, body.length + 2 * r};
    case rigid::Shape::cylinder:
      return {2 * r, 2 * r, body.length};
    case rigid::Shape::box:
      return body.size;
    case rigid::Shape::mesh:
      return body.surface->box().high - body.surface->box().low;
  }
  return Vec3::Constant(std::numeric_limits<double>::infinity());
}

std::vector<std::string> notes_on_small_obstacles(const config::Scene& scene, double mesh_size)
{
  std::vector<std::string> notes;
  if (scene.solver.method == config::Method::lattice || scene.solver.method == config::Method::hybrid) return notes;
  for (const contact::Obstacle& obstacle : scene.obstacles)
    if (const double thin = edges_of_box(obstacle).minCoeff(); thin < mesh_size)
      notes.push_back(fmt::format(
          "obstacles.{} is {:.3g} m thin, less than the elements, whose edges are {:.3g} m: these may swallow "
          "it and let it through; a smaller mesh.size of the bodies that it meets helps",
          obstacle.name, thin, mesh_size));
  return notes;
}

}  // namespace sunder::simulation
