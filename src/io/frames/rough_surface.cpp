#include "io/frames/rough_surface.hpp"

#include "core/hash.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace sunder::io {
namespace {

using Corners = std::array<LocalIndex, 3>;
using Divisions = std::array<EdgeDivision, 3>;

std::array<std::uint64_t, 3> bits(const Vec3& x)
{
  return {std::bit_cast<std::uint64_t>(x.x()), std::bit_cast<std::uint64_t>(x.y()),
          std::bit_cast<std::uint64_t>(x.z())};
}

/// A vector in the unit ball, every one as likely as any other. The ends may be given in either order.
Vec3 random_in_ball(std::int64_t seed, const Vec3& A, const Vec3& B)
{
  auto first = bits(A), second = bits(B);
  if (second < first) std::swap(first, second);
  std::uint64_t key = static_cast<std::uint64_t>(seed);
  for (const auto& end : {first, second})
    for (const std::uint64_t word : end) key = combine(key, word);
  Vec3 u;
  std::uint64_t drawn = 0;
  do
    for (double& x : u) x = 0x1p-52 * static_cast<double>(combine(key, drawn++) >> 11) - 1;
  while (u.squaredNorm() > 1);
  return u;
}

/// Not that of a node which bisect() of the mesh would put there.
NodeId id_of_middle(const NodeId& a, const NodeId& b)
{
  constexpr NodeId middle(0x6d6964706f696e74ull);
  return made_id(std::min(a, b), made_id(std::max(a, b), middle));
}

void append_mean(Field& field, LocalIndex a, LocalIndex b)
{
  const auto width = static_cast<std::size_t>(field.components);
  const auto append = [&](auto& column) {
    for (std::size_t k = 0; k < width; ++k) {
      const auto [low, high] = std::minmax(column[at(a) * width + k], column[at(b) * width + k]);
      const auto mean = std::midpoint(low, high);
      column.push_back(mean);
    }
  };
  std::visit(append, field.values);
}

/// One level of division.
class Division {
public:
  Division(RoughSurface& surface, std::vector<std::size_t>& origin, const SurfaceDetail& detail)
    : s_(surface), origin_(origin), detail_(detail)
  {
  }

  void run()
  {
    const auto corners = std::exchange(s_.frame.corners, {});
    const auto edges = std::exchange(s_.edges, {});
    const auto rough = std::exchange(s_.rough, {});
    const auto origin = std::exchange(origin_, {});
    for (std::size_t t = 0; t < corners.size(); ++t) {
      origin_of_parent_ = origin[t], rough_ = rough[t] != 0;
      divide({corners[t][0], corners[t][1], corners[t][2]}, edges[t]);
    }
  }

private:
  /// Begins at the corner from which the edges that are divided follow each other.
  void divide(Corners corners, Divisions edges)
  {
    const auto divided = [&](std::size_t k) { return edges[k] != EdgeDivision::none; };
    const int count = divided(0) + divided(1) + divided(2);
    const auto turn = [&] {
      std::rotate(corners.begin(), corners.begin() + 1, corners.end());
      std::rotate(edges.begin(), edges.begin() + 1, edges.end());
    };
    while (count > 0 && count < 3 && !(divided(0) && !divided(2))) turn();
    const auto [a, b, c] = corners;
    const auto [ab, bc, ca] = edges;
    if (count == 0) return add(corners, edges);
    const LocalIndex m = middle(a, b, ab);
    if (count == 1) return add({a, m, c}, {ab, none, ca}), add({m, b, c}, {ab, bc, none});
    const LocalIndex n = middle(b, c, bc);
    if (count == 2)
      return add({m, b, n}, {ab, bc, none}), add({a, m, n}, {ab, none, none}), add({a, n, c}, {none, bc, ca});
    const LocalIndex o = middle(c, a, ca);
    const EdgeDivision inner = rough_ ? EdgeDivision::rough : none;
    add({a, m, o}, {ab, inner, ca}), add({m, b, n}, {ab, bc, inner}), add({o, n, c}, {inner, bc, ca});
    add({m, n, o}, {inner, inner, inner});
  }

  void add(const Corners& corners, const Divisions& edges)
  {
    s_.frame.corners.push_back({corners[0], corners[1], corners[2], no_corner});
    s_.edges.push_back(edges), s_.rough.push_back(rough_), origin_.push_back(origin_of_parent_);
  }

  LocalIndex middle(LocalIndex a, LocalIndex b, EdgeDivision edge)
  {
    const auto next = static_cast<LocalIndex>(s_.material.size());
    const std::uint64_t key = at(std::min(a, b)) << 32 | at(std::max(a, b));
    const auto [known, is_new] = middles_.try_emplace(key, next);
    if (!is_new) return known->second;
    const Vec3 A = s_.material[at(a)], B = s_.material[at(b)];
    const Mat3 gradient = (s_.gradient[at(a)] + s_.gradient[at(b)]) / 2;
    Vec3 X = (A + B) / 2, x = (s_.world[at(a)] + s_.world[at(b)]) / 2;
    if (edge == EdgeDivision::rough) {
      const Vec3 way = detail_.roughness * (B - A).norm() * random_in_ball(detail_.seed, A, B);
      X += way, x += gradient * way;
    }
    s_.material.push_back(X), s_.world.push_back(x), s_.gradient.push_back(gradient);
    Frame& frame = s_.frame;
    frame.node_id.push_back(id_of_middle(frame.node_id[at(a)], frame.node_id[at(b)]));
    frame.node_owner.push_back(std::min(frame.node_owner[at(a)], frame.node_owner[at(b)]));
    for (Field& field : frame.node_fields) append_mean(field, a, b);
    return next;
  }

  static constexpr EdgeDivision none = EdgeDivision::none;
  RoughSurface& s_;
  std::vector<std::size_t>& origin_;  // (triangles) of the surface as it was at first
  const SurfaceDetail& detail_;
  std::unordered_map<std::uint64_t, LocalIndex> middles_;
  std::size_t origin_of_parent_ = 0;
  bool rough_ = false;
};

}  // namespace

void subdivide(RoughSurface& surface, const SurfaceDetail& detail)
{
  std::vector<std::size_t> origin(surface.frame.corners.size());
  std::iota(origin.begin(), origin.end(), std::size_t{0});
  for (std::int64_t level = 0; level < detail.levels; ++level) Division(surface, origin, detail).run();
  std::vector<ElementId> ids;
  for (const std::size_t t : origin) ids.push_back(surface.frame.element_id[t]);
  surface.frame.element_id = std::move(ids);
  for (Field& field : surface.frame.element_fields) {
    Field divided = field.empty_like();
    divided.append(field, origin);
    field = std::move(divided);
  }
}

}  // namespace sunder::io
