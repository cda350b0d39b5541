#include "simulation/setup/fast_motions.hpp"

#include "rigid/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::simulation {
namespace {

struct Sound {
  double speed = std::numeric_limits<double>::infinity();  // [m/s]
  std::string material;
};

Sound slowest_sound(const config::Scene& scene)
{
  Sound slowest;
  for (const material::Material& m : scene.materials) {
    const double speed = std::sqrt(m.p_wave_modulus() / m.density);
    if (speed > 0 && speed < slowest.speed) slowest = {speed, m.name};  // 0: rigid
  }
  return slowest;
}

/// Without a rotation, whose speed depends on where nodes are.
double given_speed(const config::BoundaryCondition& condition)
{
  constexpr double steepest = 1.875;  // of a smooth way, over its mean
  double fastest = 0;
  for (const config::VectorPoint& point : condition.velocity) fastest = std::max(fastest, point.value.norm());
  const auto& points = condition.displacement;
  for (std::size_t k = 1; k < points.size(); ++k)
    fastest = std::max(fastest, (points[k].smooth ? steepest : 1) * (points[k].value - points[k - 1].value).norm() /
                                    (points[k].time - points[k - 1].time));
  return fastest;
}

bool knows_waves(config::Method method)
{
  return method != config::Method::static_equilibrium && method != config::Method::lattice &&
         method != config::Method::hybrid;
}

}  // namespace

double given_speed(const rigid::Body& obstacle, double end)
{
  double fastest = rigid::greatest_speed(obstacle, rigid::motion_at(obstacle, 0));
  if (obstacle.motion != rigid::MotionKind::path) return fastest;
  for (const rigid::Waypoint& point : obstacle.path)
    if (point.time < end)
      fastest = std::max(fastest, rigid::greatest_speed(obstacle, rigid::motion_at(obstacle, point.time)));
  return fastest;
}

double greatest_speed(std::span<const Vec3> velocities)
{
  double fastest = 0;
  for (const Vec3& v : velocities) fastest = std::max(fastest, v.norm());
  return fastest;
}

std::vector<std::string> notes_on_fast_motions(const config::Scene& scene, double fastest_node)
{
  std::vector<std::string> notes;
  if (!knows_waves(scene.solver.method)) return notes;
  const Sound sound = slowest_sound(scene);
  const auto note = [&](const char* list, const std::string& name, double speed) {
    if (speed > sound.speed)
      notes.push_back(
          fmt::format("{}.{}: expected a speed below that of sound in materials.{}, {:.3g} m/s, got {:.3g} m/s: what "
                      "it meets cannot get out of its way; lengths are in metres, times in seconds",
                      list, name, sound.material, sound.speed, speed));
  };
  const auto fastest = std::ranges::max_element(  // copies of a body are as fast as it
      scene.bodies, {}, [](const config::Body& body) { return body.velocity.norm(); });
  if (fastest != scene.bodies.end()) note("bodies", fastest->name, fastest->velocity.norm());
  if (notes.empty() && fastest_node > sound.speed)
    notes.push_back(fmt::format(
        "bodies: expected nodes that start below the speed of sound in materials.{}, {:.3g} m/s, got one of "
        "{:.3g} m/s by velocity_gradient or spin",
        sound.material, sound.speed, fastest_node));
  for (const contact::Obstacle& obstacle : scene.obstacles)
    note("obstacles", obstacle.name, given_speed(obstacle, scene.time.end));
  for (const config::BoundaryCondition& condition : scene.boundary)
    note("boundary", condition.name, given_speed(condition));
  return notes;
}

}  // namespace sunder::simulation
