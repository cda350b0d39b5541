#include "simulation/setup/obstacle_surfaces.hpp"

#include "core/error.hpp"
#include "io/surfaces/surface_check.hpp"
#include "io/surfaces/surface_reader.hpp"

#include <fmt/format.h>

#include <cstring>

namespace sunder::simulation {
namespace {

/// key: of the obstacle's file, for messages
io::TriangleSurface read_scaled(const contact::Obstacle& obstacle, const std::string& key)
{
  io::TriangleSurface surface = io::read_welded_surface(obstacle.file);
  if (const auto errors = io::check_surface(surface); !errors.empty())
    throw Error(fmt::format("{}: {}: expected a closed surface: {}", key, obstacle.file, fmt::join(errors, "; ")));
  for (Vec3& x : surface.points) x *= obstacle.scale;
  return surface;
}

/// Collective. What rank 0 has.
template <class T>
std::vector<T> of_rank_0(const Comm& comm, const std::vector<T>& values)
{
  std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  comm.broadcast(bytes);
  std::vector<T> all(bytes.size() / sizeof(T));
  std::memcpy(static_cast<void*>(all.data()), bytes.data(), bytes.size());
  return all;
}

}  // namespace

config::Scene with_obstacle_surfaces(const Comm& comm, config::Scene scene)
{
  for (contact::Obstacle& obstacle : scene.obstacles) {
    if (obstacle.shape != rigid::Shape::mesh || obstacle.surface) continue;
    io::TriangleSurface surface;
    const std::string key = config::message_key(scene, fmt::format("obstacles.{}.mesh.file", obstacle.name));
    on_rank_0(comm, [&] { surface = read_scaled(obstacle, key); });
    obstacle.surface =
        std::make_shared<geometry::ClosedSurface>(of_rank_0(comm, surface.points), of_rank_0(comm, surface.triangles));
  }
  return scene;
}

}  // namespace sunder::simulation
