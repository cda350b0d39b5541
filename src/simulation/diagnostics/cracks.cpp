#include "simulation/diagnostics/cracks.hpp"

#include "core/combining_exchange.hpp"
#include "core/hash.hpp"
#include "simulation/diagnostics/crack_of_node.hpp"
#include "simulation/diagnostics/visit_crack_faces.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace sunder::simulation {
namespace {

using Point = std::array<double, 3>;

Point point(const Vec3& X)
{
  return {X.x(), X.y(), X.z()};
}

/// Areas are counted in whole numbers, so that their sums are the same in any order. 10^9 faces do not reach 2^63.
double unit_of_area(const State& state)
{
  return state.mesh_size * state.mesh_size / (1 << 26);
}

/// A crack, or a rank's part of it. Trivially copyable.
struct Part {
  NodeId key;             // of the crack
  std::int64_t area = 0;  // of both sides, in units
  double born = std::numeric_limits<double>::infinity();
  Point origin{};
  MaterialIndex material = 0;  // of the first face; of several the least

  void combine(const Part& other)
  {
    area += other.area;
    if (std::tie(other.born, other.origin, other.material) < std::tie(born, origin, material))
      born = other.born, origin = other.origin, material = other.material;
  }
  bool larger_than(const Part& other) const { return std::tie(other.area, key) < std::tie(area, other.key); }
};

Part part_of(const element::Model& model, const CrackFace& face, double unit)
{
  const auto X = [&](std::size_t k) -> const Vec3& { return model.mesh.node(face.nodes[k]).X; };
  Part part;
  part.area = std::llround((X(1) - X(0)).cross(X(2) - X(0)).norm() / 2 / unit);
  part.born = face.birth, part.origin = std::min({point(X(0)), point(X(1)), point(X(2))});
  part.material = model.mesh.material(face.element);
  return part;
}

/// Collective. Of the cracks that have their home on this rank.
std::vector<Part> cracks_at_home(const State& state, const CrackOfNode& crack_of)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  const double unit = unit_of_area(state);
  std::vector<Part> parts(crack_of.num_parts());
  visit_crack_faces(mesh, [&](const CrackFace& face) {
    if (!mesh.primary(face.element)) return;
    Part& part = parts[static_cast<std::size_t>(crack_of.part(face.nodes[0]))];
    part.key = crack_of(face.nodes[0]);
    part.combine(part_of(state.model, face, unit));
  });
  std::map<NodeId, Part> cracks;  // parts that are apart here may be joined elsewhere
  for (const Part& part : parts)
    if (part.born < std::numeric_limits<double>::infinity())
      cracks.try_emplace(part.key, Part{.key = part.key}).first->second.combine(part);
  std::vector<Part> mine;
  for (const auto& [crack, part] : cracks) mine.push_back(part);
  const CombiningExchange<Part, char> exchange(
      state.comm, std::move(mine), [&state](const NodeId& crack) { return home_rank(crack.low, state.comm.size()); });
  return {exchange.at_home().begin(), exchange.at_home().end()};
}

/// The largest cracks of several ranks, largest first. Trivially copyable.
struct Largest {
  char key = 0;
  std::uint64_t count = 0, limit = 0;
  std::array<Part, most_cracks> parts;

  void add(const Part& part)
  {
    std::size_t at = count;
    while (at > 0 && part.larger_than(parts[at - 1])) --at;
    if (at == limit) return;
    count = std::min(count + 1, limit);
    std::move_backward(parts.begin() + static_cast<std::ptrdiff_t>(at),
                       parts.begin() + static_cast<std::ptrdiff_t>(count) - 1,
                       parts.begin() + static_cast<std::ptrdiff_t>(count));
    parts[at] = part;
  }
  void combine(const Largest& other)
  {
    for (std::size_t k = 0; k < other.count; ++k) add(other.parts[k]);
  }
};

/// Collective. The same on every rank.
Largest largest_of(const Comm& comm, std::span<const Part> mine, std::size_t limit)
{
  Largest largest;
  largest.limit = std::min(limit, most_cracks);
  for (const Part& part : mine) largest.add(part);
  const CombiningExchange<Largest, Largest> exchange(comm, {largest}, [](char) { return Rank{0}; });
  return exchange.answer(exchange.at_home()).at(0);
}

/// How far a crack reaches, or a rank's part of it. Trivially copyable.
struct Reach {
  std::size_t key = 0;  // of the largest cracks, from 0
  double length = 0, before = 0;
  Point tip{};
  std::int64_t linked_area = 0;  // in units

  void combine(const Reach& other)
  {
    before = std::max(before, other.before);
    linked_area += other.linked_area;
    if (std::tie(length, tip) < std::tie(other.length, other.tip)) length = other.length, tip = other.tip;
  }
};

/// (parts held here) which of the largest cracks it belongs to; -1: none of them.
std::vector<int> rank_of_parts(const mesh::TetMesh& mesh, const CrackOfNode& crack_of, const Largest& largest)
{
  const auto begin = largest.parts.begin(), end = begin + static_cast<std::ptrdiff_t>(largest.count);
  std::vector<int> ranks(crack_of.num_parts(), -2);  // not known yet
  visit_crack_faces(mesh, [&](const CrackFace& face) {
    int& rank = ranks[static_cast<std::size_t>(crack_of.part(face.nodes[0]))];
    if (rank != -2) return;
    const auto at = std::find_if(begin, end, [&](const Part& part) { return part.key == crack_of(face.nodes[0]); });
    rank = at == end ? -1 : static_cast<int>(at - begin);
  });
  return ranks;
}

/// Collective. One for each of the largest cracks, on rank 0.
std::vector<Reach> reaches(const State& state, const CrackOfNode& crack_of, const Largest& largest, double since)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  const double unit = unit_of_area(state);
  std::vector<Reach> mine(largest.count);
  for (std::size_t k = 0; k < mine.size(); ++k) mine[k].key = k, mine[k].tip = largest.parts[k].origin;
  const std::vector<int> ranks = rank_of_parts(mesh, crack_of, largest);
  const auto reach_at = [&](LocalIndex corner) {
    const int rank = ranks[static_cast<std::size_t>(crack_of.part(corner))];
    return rank < 0 ? nullptr : &mine[static_cast<std::size_t>(rank)];
  };
  visit_crack_faces(mesh, [&](const CrackFace& face) {
    Reach* const reach = reach_at(face.nodes[0]);
    if (!reach) return;
    for (const LocalIndex n : face.nodes) {
      const Vec3& X = mesh.node(n).X;
      const double length = (X - vector(largest.parts[reach->key].origin)).norm();
      reach->combine({.length = length, .before = face.birth <= since ? length : 0, .tip = point(X)});
    }
  });
  for (const element::ModelLink& link : state.model.links) {
    const LocalIndex corner = crack_of.contains(link.plus) ? link.plus : link.minus;  // both are at one point
    if (link.link.broken() || !crack_of.contains(corner)) continue;
    if (Reach* const reach = reach_at(corner)) reach->linked_area += std::llround(link.link.law().area / unit);
  }
  const CombiningExchange<Reach, char> exchange(state.comm, std::move(mine), [](std::size_t) { return Rank{0}; });
  return {exchange.at_home().begin(), exchange.at_home().end()};
}

}  // namespace

std::vector<Crack> largest_cracks(const State& state, std::size_t count, double since)
{
  const CrackOfNode crack_of(state.comm, state.model.mesh);
  const Largest largest = largest_of(state.comm, cracks_at_home(state, crack_of), count);
  const double unit = unit_of_area(state);
  std::vector<Crack> cracks;
  for (const Reach& reach : reaches(state, crack_of, largest, since)) {
    const Part& part = largest.parts[reach.key];
    const double time = state.time - since;
    cracks.push_back({.origin = vector(part.origin),
                      .born = part.born,
                      .area = static_cast<double>(part.area) * unit / 2,
                      .linked_area = static_cast<double>(reach.linked_area) * unit,
                      .length = reach.length,
                      .tip = vector(reach.tip),
                      .speed = time > 0 ? (reach.length - reach.before) / time : 0,
                      .rayleigh_speed = material::rayleigh_speed(state.model.materials[part.material])});
  }
  return cracks;
}

double largest_crack(const State& state)
{
  const std::vector<Part> mine = cracks_at_home(state, CrackOfNode(state.comm, state.model.mesh));
  std::int64_t area = 0;
  for (const Part& part : mine) area = std::max(area, part.area);
  return static_cast<double>(state.comm.max(area)) * unit_of_area(state) / 2;
}

std::vector<std::string> crack_columns()
{
  return {"origin_x", "origin_y", "origin_z", "born",  "area",  "linked_area",
          "length",   "tip_x",    "tip_y",    "tip_z", "speed", "rayleigh_speed"};
}

std::vector<double> crack_numbers(const Crack& c)
{
  return {c.origin.x(), c.origin.y(), c.origin.z(), c.born,    c.area,  c.linked_area,
          c.length,     c.tip.x(),    c.tip.y(),    c.tip.z(), c.speed, c.rayleigh_speed};
}

}  // namespace sunder::simulation
