#include "simulation/crack_fronts.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sunder::simulation {

FrontTube::FrontTube(const config::CrackFront& front, double advance) : origin_(front.point + advance * front.growth)
{
  axes_ << front.growth.transpose(), front.normal.transpose(), front.growth.cross(front.normal).transpose();
}

double FrontTube::weight(const Vec3& local, double radius)
{
  return std::clamp(2 - 2 * std::hypot(local.x(), local.y()) / radius, 0.0, 1.0);
}

bool in_tube(const config::CrackFront& front, const std::array<Vec3, 4>& corners)
{
  const FrontTube tube(front, 0);
  return std::any_of(corners.begin(), corners.end(),
                     [&](const Vec3& X) { return FrontTube::weight(tube.local(X), front.radius) > 0; });
}

void check_crack_fronts(const std::vector<config::CrackFront>& fronts, const element::Model& model, const Comm& comm)
{
  if (fronts.empty()) return;
  std::vector<std::int64_t> found(fronts.size(), 0);
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    if (model.mesh.primary(e))
      for (std::size_t k = 0; k < found.size(); ++k) found[k] += in_tube(fronts[k], model.mesh.corners(e));
  comm.sum_in_place(found);
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k] == 0) throw AgreedError(tube_is_empty(fronts[k].key));
}

std::vector<std::string> notes_on_crack_fronts(const std::vector<config::CrackFront>& fronts, double size)
{
  constexpr double least = 6;  // elements
  std::vector<std::string> notes;
  for (const config::CrackFront& front : fronts)
    if (front.radius < least * size)
      notes.push_back(fmt::format(
          "{}: expected a radius of at least {:g} elements, {:.3g} m, got {:.3g} m: J and what follows from "
          "it are rough",
          front.key, least, least * size, front.radius));
  return notes;
}

std::string tube_is_empty(const std::string& key)
{
  return key + ": expected a tube around the front with nodes in it, got one without";
}

}  // namespace sunder::simulation
