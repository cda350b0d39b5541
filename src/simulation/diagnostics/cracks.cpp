#include "simulation/diagnostics/cracks.hpp"

#include "core/combining_exchange.hpp"
#include "core/hash.hpp"
#include "core/sort_unique.hpp"
#include "mesh/union_find.hpp"
#include "partition/across_ranks/connected_components.hpp"
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

Vec3 vector(const Point& X)
{
  return {X[0], X[1], X[2]};
}

/// A node by its material point, which both sides of a crack have in common.
NodeId point_of(const mesh::TetMesh& mesh, LocalIndex n)
{
  const Vec3& X = mesh.node(n).X;
  const auto hash = [&X](std::uint64_t seed) { return combine(combine(combine(seed, X.x()), X.y()), X.z()); };
  return {hash(1), hash(2)};
}

/// Which crack each point of this rank's crack faces belongs to. A crack is known by its smallest point.
class CrackOfPoint {
public:
  /// Collective. Ranks tell each other of their parts of cracks, and of the points where these may meet: those of
  /// elements that several ranks hold.
  CrackOfPoint(const Comm& comm, const mesh::TetMesh& mesh)
  {
    visit_crack_faces(mesh, [&](const CrackFace& face) {
      for (const LocalIndex n : face.nodes) points_.push_back(point_of(mesh, n));
    });
    sort_unique(points_);
    mesh::UnionFind parts(points_.size());
    std::vector<char> meets(points_.size(), 0);
    visit_crack_faces(mesh, [&](const CrackFace& face) {
      const LocalIndex first = place(point_of(mesh, face.nodes[0]));
      for (const LocalIndex n : face.nodes) {
        const LocalIndex at = place(point_of(mesh, n));
        parts.unite(first, at);
        if (mesh.on_border(face.element)) meets[static_cast<std::size_t>(at)] = 1;
      }
    });
    std::vector<NodeId> vertices;
    std::vector<std::pair<NodeId, NodeId>> joined;
    for (std::size_t k = 0; k < points_.size(); ++k) {
      part_.push_back(parts.find(static_cast<LocalIndex>(k)));
      const NodeId least = points_[static_cast<std::size_t>(part_[k])];
      if (least == points_[k] || meets[k] != 0) vertices.push_back(points_[k]);
      if (least != points_[k] && meets[k] != 0) joined.emplace_back(least, points_[k]);
    }
    const auto cracks = partition::connected_components(comm, vertices, joined).least;
    cracks_.resize(points_.size());
    for (std::size_t v = 0; v < vertices.size(); ++v) cracks_[static_cast<std::size_t>(place(vertices[v]))] = cracks[v];
  }

  /// Local. Of a point that is a corner of a crack face held here.
  NodeId operator()(const NodeId& point) const
  {
    return cracks_[static_cast<std::size_t>(part_[static_cast<std::size_t>(place(point))])];
  }
  bool contains(const NodeId& point) const { return std::binary_search(points_.begin(), points_.end(), point); }

private:
  LocalIndex place(const NodeId& point) const
  {
    return static_cast<LocalIndex>(std::lower_bound(points_.begin(), points_.end(), point) - points_.begin());
  }

  std::vector<NodeId> points_;    // each once, ascending
  std::vector<LocalIndex> part_;  // (points) the smallest point of the part of a crack that is held here
  std::vector<NodeId> cracks_;    // (points) at the smallest points of parts
};

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
  MaterialIndex material = 0;  // of the first face

  void combine(const Part& other)
  {
    area += other.area;
    if (std::tie(other.born, other.origin) < std::tie(born, origin))
      born = other.born, origin = other.origin, material = other.material;
  }
  bool larger_than(const Part& other) const { return std::tie(other.area, key) < std::tie(area, other.key); }
};

Part part_of(const element::Model& model, const CrackFace& face, const NodeId& crack, double unit)
{
  const auto X = [&](std::size_t k) -> const Vec3& { return model.mesh.node(face.nodes[k]).X; };
  Part part{.key = crack};
  part.area = std::llround((X(1) - X(0)).cross(X(2) - X(0)).norm() / 2 / unit);
  part.born = face.birth, part.origin = std::min({point(X(0)), point(X(1)), point(X(2))});
  part.material = model.mesh.material(face.element);
  return part;
}

/// Collective. Of the cracks that have their home on this rank.
std::vector<Part> cracks_at_home(const State& state, const CrackOfPoint& crack_of)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  const double unit = unit_of_area(state);
  std::map<NodeId, Part> parts;
  visit_crack_faces(mesh, [&](const CrackFace& face) {
    if (!mesh.primary(face.element)) return;
    const NodeId crack = crack_of(point_of(mesh, face.nodes[0]));
    parts.try_emplace(crack, Part{.key = crack}).first->second.combine(part_of(state.model, face, crack, unit));
  });
  std::vector<Part> mine;
  for (const auto& [crack, part] : parts) mine.push_back(part);
  const CombiningExchange<Part, char> exchange(state.comm, std::move(mine), [&state](const NodeId& crack) {
    return static_cast<Rank>(mix(crack.low) % static_cast<std::uint64_t>(state.comm.size()));
  });
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

/// Collective. One for each of the largest cracks, on rank 0.
std::vector<Reach> reaches(const State& state, const CrackOfPoint& crack_of, const Largest& largest, double since)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  const double unit = unit_of_area(state);
  std::vector<Reach> mine(largest.count);
  for (std::size_t k = 0; k < mine.size(); ++k) mine[k].key = k, mine[k].tip = largest.parts[k].origin;
  const auto reach_at = [&](const NodeId& point) {
    const NodeId crack = crack_of(point);
    const auto end = largest.parts.begin() + static_cast<std::ptrdiff_t>(largest.count);
    const auto at = std::find_if(largest.parts.begin(), end, [&](const Part& part) { return part.key == crack; });
    return at == end ? nullptr : &mine[static_cast<std::size_t>(at - largest.parts.begin())];
  };
  visit_crack_faces(mesh, [&](const CrackFace& face) {
    Reach* const reach = reach_at(point_of(mesh, face.nodes[0]));
    if (!reach) return;
    for (const LocalIndex n : face.nodes) {
      const Vec3& X = mesh.node(n).X;
      const double length = (X - vector(largest.parts[reach->key].origin)).norm();
      reach->combine({.length = length, .before = face.birth <= since ? length : 0, .tip = point(X)});
    }
  });
  for (const element::ModelLink& link : state.model.links)
    if (const NodeId point = point_of(mesh, link.plus); !link.link.broken() && crack_of.contains(point))
      if (Reach* const reach = reach_at(point)) reach->linked_area += std::llround(link.link.law().area / unit);
  const CombiningExchange<Reach, char> exchange(state.comm, std::move(mine), [](std::size_t) { return Rank{0}; });
  return {exchange.at_home().begin(), exchange.at_home().end()};
}

}  // namespace

std::vector<Crack> largest_cracks(const State& state, std::size_t count, double since)
{
  const CrackOfPoint crack_of(state.comm, state.model.mesh);
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
  const std::vector<Part> mine = cracks_at_home(state, CrackOfPoint(state.comm, state.model.mesh));
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
