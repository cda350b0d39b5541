#include "simulation/setup/unloaded_scene.hpp"

#include <algorithm>

namespace sunder::simulation {

std::vector<std::string> notes_on_unloaded_scene(const config::Scene& scene)
{
  const auto some = [](const std::vector<config::VectorPoint>& points) {
    return std::ranges::any_of(points, [](const config::VectorPoint& point) { return !point.value.isZero(0); });
  };
  const bool moved = std::ranges::any_of(scene.boundary, [some](const config::BoundaryCondition& condition) {
    return some(condition.velocity) || some(condition.displacement) || condition.rotation;
  });
  const bool loaded = moved || !scene.loads.empty() || !scene.obstacles.empty() || !scene.gravity.isZero(0);
  if (scene.solver.method != config::Method::static_equilibrium || loaded) return {};
  return {
      "solver.method: static expects loads, gravity, obstacles or boundary conditions that move, found none: "
      "nothing will move, and all stress will be zero"};
}

}  // namespace sunder::simulation
