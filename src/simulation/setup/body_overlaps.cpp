#include "simulation/setup/body_overlaps.hpp"

#include "contact/obstacle_contact.hpp"
#include "core/error.hpp"
#include "partition/distribute/distribute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace sunder::simulation {
namespace {

constexpr const char* what_to_do = "move them, or set collisions.resolve to push or initial_overlap";

contact::Solid solid_of(const BodyInPlace& body)
{
  return {body.mesh->nodes, body.mesh->tets};
}

std::string text(const Vec3& x)
{
  const Vec3 said = (x.array().abs() < 1e-6 * x.norm()).select(0, x);  // to the digits that are shown
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", said.x(), said.y(), said.z());
}

}  // namespace

std::string text_of_overlap(const std::string& a, const std::string& b, const contact::Interpenetration& shared)
{
  return fmt::format("{} and {} overlap by {:.4g} m^3, {:.4g} m deep, about {} m", a, b, shared.volume, shared.depth(),
                     text(shared.centre));
}

std::string text_of_overlaps(const std::string& key, const std::vector<std::string>& found)
{
  constexpr std::size_t most = 8;
  const std::span<const std::string> first(found.data(), std::min(found.size(), most));
  const std::string more = found.size() > most ? fmt::format("; and {} more pairs", found.size() - most) : "";
  return fmt::format("{}: expected bodies that touch at most at the start, got {}{}; {}", key, fmt::join(first, "; "),
                     more, what_to_do);
}

std::optional<std::string> text_of_obstacle_overlap(const std::string& body, const contact::Obstacle& obstacle,
                                                    const contact::Interpenetration& shared, double edge)
{
  constexpr double resting = 0.01;  // of an edge of the body's mesh
  if (!(shared.volume > 0 && shared.depth() > resting * edge)) return std::nullopt;
  return fmt::format("{} starts {:.4g} m deep in obstacles.{}, about {} m, which will push it out; move one of them",
                     body, shared.depth(), obstacle.name, text(shared.centre));
}

void refuse_overlaps(const std::string& key, const std::vector<BodyInPlace>& bodies)
{
  std::vector<contact::Solid> solids;
  std::vector<std::string> found;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    solids.push_back(solid_of(bodies[b]));
    for (std::size_t a = 0; a < b; ++a) {
      const contact::Interpenetration shared = solids[b].with(solids[a]);
      if (shared.volume > 0) found.push_back(text_of_overlap(bodies[a].name, bodies[b].name, shared));
    }
  }
  if (!found.empty()) throw Error(text_of_overlaps(key, found));
}

void push_apart(const std::vector<BodyInPlace>& bodies, std::vector<std::string>& notes)
{
  constexpr int most_shifts = 50;  // out of one body may be into another
  std::vector<contact::Solid> solids;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    solids.push_back(solid_of(bodies[b]));
    const Vec3 before = bodies[b].mesh->nodes.front();
    std::vector<std::string> out_of;
    for (int shifts = 0;; ++shifts) {
      bool moved = false;
      for (std::size_t a = 0; a < b; ++a) {
        const Vec3 way = contact::minimum_translation(solids[b], solids[a]);
        if (way.isZero(0)) continue;
        if (shifts == most_shifts)
          throw Error(
              fmt::format("collisions.resolve: push: expected a place for {} beside the bodies before it, "
                          "found none: it still overlaps {}",
                          bodies[b].name, bodies[a].name));
        for (Vec3& x : bodies[b].mesh->nodes) x += way;
        solids[b] = solid_of(bodies[b]);
        moved = true;
        if (std::find(out_of.begin(), out_of.end(), bodies[a].name) == out_of.end()) out_of.push_back(bodies[a].name);
      }
      if (!moved) break;
    }
    if (out_of.empty()) continue;
    const Vec3 way = bodies[b].mesh->nodes.front() - before;
    notes.push_back(
        fmt::format("{} overlapped {} and was moved by {} m", bodies[b].name, fmt::join(out_of, ", "), text(way)));
  }
}

void note_obstacle_overlaps(const std::vector<BodyInPlace>& bodies, const std::vector<contact::Obstacle>& obstacles,
                            std::vector<std::string>& notes)
{
  for (const BodyInPlace& body : bodies) {
    const std::vector<double> sizes = partition::node_sizes(*body.mesh);
    const double edge = std::accumulate(sizes.begin(), sizes.end(), 0.0) / static_cast<double>(sizes.size());
    for (const contact::Obstacle& obstacle : obstacles) {
      const contact::Interpenetration shared =
          contact::interpenetration(body.mesh->nodes, body.mesh->tets, obstacle, rigid::motion_at(obstacle, 0));
      if (const auto note = text_of_obstacle_overlap(body.name, obstacle, shared, edge)) notes.push_back(*note);
    }
  }
}

}  // namespace sunder::simulation
