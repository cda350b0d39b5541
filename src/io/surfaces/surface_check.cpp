#include "io/surfaces/surface_check.hpp"

#include "geometry/box_tree.hpp"
#include "geometry/triangle_overlap.hpp"
#include "mesh/union_find.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <span>

namespace sunder::io {
namespace {

constexpr std::size_t counted_at_most = 1000;  // triangles in each other's way

std::string place(const Vec3& x)
{
  return fmt::format("({:.6g} {:.6g} {:.6g})", x.x(), x.y(), x.z());
}

geometry::Triangle corners(const TriangleSurface& s, std::size_t t)
{
  const auto& [a, b, c] = s.triangles[t];
  return {s.points[a], s.points[b], s.points[c]};
}

Vec3 centre(const TriangleSurface& s, std::size_t t)
{
  const geometry::Triangle x = corners(s, t);
  return (x[0] + x[1] + x[2]) / 3;
}

/// A height below 1e-9 of the longest edge is none.
bool has_no_area(const geometry::Triangle& x)
{
  constexpr double flat = 1e-9;
  double longest = 0;
  for (std::size_t a = 0; a < 3; ++a) longest = std::max(longest, (x[(a + 1) % 3] - x[a]).squaredNorm());
  return !((x[1] - x[0]).cross(x[2] - x[0]).norm() > flat * longest);
}

void check_areas(const TriangleSurface& s, std::vector<std::string>& errors)
{
  std::vector<std::size_t> flat;
  for (std::size_t t = 0; t < s.triangles.size(); ++t)
    if (has_no_area(corners(s, t))) flat.push_back(t);
  if (!flat.empty())
    errors.push_back(fmt::format("triangles without area: {}; the first is {} at {}", flat.size(), s.labels[flat[0]],
                                 place(centre(s, flat[0]))));
}

/// An edge as a triangle runs along it.
struct Side {
  std::uint32_t low, high, triangle;
  bool upward;  // from low to high
  auto operator<=>(const Side&) const = default;
};

std::vector<Side> sorted_sides(const TriangleSurface& s)
{
  std::vector<Side> sides;
  sides.reserve(3 * s.triangles.size());
  for (std::size_t t = 0; t < s.triangles.size(); ++t)
    for (std::size_t a = 0; a < 3; ++a) {
      const std::uint32_t from = s.triangles[t][a], to = s.triangles[t][(a + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), static_cast<std::uint32_t>(t), from < to});
    }
  std::sort(sides.begin(), sides.end());
  return sides;
}

/// Edges with one defect, of which the one of the first triangle is told.
struct BadEdges {
  std::size_t count = 0;
  Side first{0, 0, UINT32_MAX, false};
  void add(const Side& side)
  {
    ++count;
    if (side.triangle < first.triangle) first = side;
  }
  void report(const TriangleSurface& s, const char* what, std::vector<std::string>& errors) const
  {
    if (count > 0)
      errors.push_back(fmt::format("{}: {}; the first is of triangle {} from {} to {}", what, count,
                                   s.labels[first.triangle], place(s.points[first.low]), place(s.points[first.high])));
  }
};

void check_edges(const TriangleSurface& s, const std::vector<Side>& sides, std::vector<std::string>& errors)
{
  BadEdges open, crowded, turned;
  for (std::size_t k = 0, end = 0; k < sides.size(); k = end) {
    while (end < sides.size() && sides[end].low == sides[k].low && sides[end].high == sides[k].high) ++end;
    if (end - k == 1) open.add(sides[k]);
    if (end - k > 2) crowded.add(sides[k]);
    if (end - k == 2 && sides[k].upward == sides[k + 1].upward) turned.add(sides[k]);
  }
  open.report(s, "edges of one triangle alone (the surface has a hole)", errors);
  crowded.report(s, "edges of more than two triangles", errors);
  turned.report(s, "edges whose two triangles face different ways", errors);
}

/// The triangle's places, the corners it shares with another one first, in the order given.
geometry::Triangle shared_first(const TriangleSurface& s, std::size_t t, std::span<const std::uint32_t> shared)
{
  std::array<std::uint32_t, 3> n = s.triangles[t];
  const auto rank = [shared](std::uint32_t a) { return std::find(shared.begin(), shared.end(), a) - shared.begin(); };
  std::sort(n.begin(), n.end(), [&rank](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
  return {s.points[n[0]], s.points[n[1]], s.points[n[2]]};
}

bool in_the_way(const TriangleSurface& s, std::size_t t, std::size_t u)
{
  std::array<std::uint32_t, 3> shared{};
  std::size_t count = 0;
  for (const std::uint32_t n : s.triangles[t])
    if (std::ranges::find(s.triangles[u], n) != s.triangles[u].end()) shared[count++] = n;
  if (count == 3) return true;
  const std::span<const std::uint32_t> common(shared.data(), count);
  const geometry::Triangle x = shared_first(s, t, common), y = shared_first(s, u, common);
  return count == 0 ? !geometry::apart(x, y) : count == 1 ? geometry::meet_beyond_corner(x, y) : geometry::folded(x, y);
}

void check_crossings(const TriangleSurface& s, std::vector<std::string>& errors)
{
  std::vector<geometry::Box> boxes(s.triangles.size());
  for (std::size_t t = 0; t < boxes.size(); ++t)
    for (const Vec3& x : corners(s, t)) boxes[t].include(x);
  std::size_t count = 0;
  std::pair<int, int> first{std::numeric_limits<int>::max(), 0};
  geometry::BoxTree tree;
  tree.build(boxes);
  tree.query_pairs([&](int t, int u) {
    if (!in_the_way(s, static_cast<std::size_t>(t), static_cast<std::size_t>(u))) return true;
    first = std::min(first, std::pair(std::min(t, u), std::max(t, u)));
    return ++count < counted_at_most;
  });
  if (count == 0) return;
  const auto t = static_cast<std::size_t>(first.first), u = static_cast<std::size_t>(first.second);
  const Vec3 low = boxes[t].low.cwiseMax(boxes[u].low), high = boxes[t].high.cwiseMin(boxes[u].high);
  errors.push_back(fmt::format("pairs of triangles that touch or cross: {}{}; the first is {} and {} near {}",
                               count == counted_at_most ? "at least " : "", count, s.labels[t], s.labels[u],
                               place((low + high) / 2)));
}

/// Triangles that hang together by edges.
struct Shell {
  std::vector<std::size_t> triangles;
  geometry::Box box;
  double volume = 0;  // negative: facing inward
};

std::vector<Shell> find_shells(const TriangleSurface& s, const std::vector<Side>& sides)
{
  mesh::UnionFind joined(s.triangles.size());
  for (std::size_t k = 1; k < sides.size(); ++k)
    if (sides[k].low == sides[k - 1].low && sides[k].high == sides[k - 1].high)
      joined.unite(static_cast<LocalIndex>(sides[k].triangle), static_cast<LocalIndex>(sides[k - 1].triangle));
  std::map<LocalIndex, Shell> shells;
  for (std::size_t t = 0; t < s.triangles.size(); ++t)
    shells[joined.find(static_cast<LocalIndex>(t))].triangles.push_back(t);
  std::vector<Shell> list;
  for (auto& [root, shell] : shells) {
    const Vec3 origin = corners(s, static_cast<std::size_t>(root))[0];
    for (const std::size_t t : shell.triangles) {
      const geometry::Triangle x = corners(s, t);
      for (const Vec3& xi : x) shell.box.include(xi);
      shell.volume += (x[0] - origin).cross(x[1] - origin).dot(x[2] - origin) / 6;
    }
    list.push_back(std::move(shell));
  }
  return list;
}

/// How often a shell goes round a point that is not on it. A. van Oosterom and J. Strackee, The solid angle of a plane
/// triangle (1983).
int winding_number(const TriangleSurface& s, const Shell& shell, const Vec3& p)
{
  if (!shell.box.contains(p)) return 0;
  double angle = 0;
  for (const std::size_t t : shell.triangles) {
    const geometry::Triangle x = corners(s, t);
    const Vec3 a = x[0] - p, b = x[1] - p, c = x[2] - p;
    const double na = a.norm(), nb = b.norm(), nc = c.norm();
    angle += 2 * std::atan2(a.cross(b).dot(c), na * nb * nc + a.dot(b) * nc + b.dot(c) * na + c.dot(a) * nb);
  }
  return static_cast<int>(std::lround(angle / (4 * std::numbers::pi)));
}

void check_shells(const TriangleSurface& s, const std::vector<Shell>& shells, std::vector<std::string>& errors)
{
  std::vector<std::size_t> wrong;
  std::size_t wrong_if_flipped = 0;
  for (std::size_t k = 0; k < shells.size(); ++k) {
    int around = 0;  // by the others
    for (std::size_t other = 0; other < shells.size(); ++other)
      if (other != k) around += winding_number(s, shells[other], corners(s, shells[k].triangles[0])[0]);
    // Solid on the inner side and none on the outer one, or the other way round.
    const int inside = around + (shells[k].volume > 0 ? 1 : -1);
    if (std::min(inside, around) != 0 || std::max(inside, around) != 1) wrong.push_back(k);
    if (std::max(inside, around) != 0 || std::min(inside, around) != -1) ++wrong_if_flipped;
  }
  if (wrong.empty()) return;
  if (wrong_if_flipped == 0) {
    double volume = 0;
    for (const Shell& shell : shells) volume += shell.volume;
    errors.push_back(fmt::format(
        "the surface is inside out: it bounds a volume of {:.6g} m^3; sunder mesh --flip turns it round", volume));
    return;
  }
  const Shell& first = shells[wrong[0]];
  errors.push_back(
      fmt::format("shells that face the wrong way for where they are: {} of {}; the first is that of triangle {} at {}",
                  wrong.size(), shells.size(), s.labels[first.triangles[0]], place(centre(s, first.triangles[0]))));
}

}  // namespace

std::vector<std::string> check_surface(const TriangleSurface& s)
{
  std::vector<std::string> errors;
  if (s.triangles.empty()) return {"expected a surface of triangles, got none"};
  check_areas(s, errors);
  const std::vector<Side> sides = sorted_sides(s);
  check_edges(s, sides, errors);
  if (!errors.empty()) return errors;
  check_crossings(s, errors);
  if (errors.empty()) check_shells(s, find_shells(s, sides), errors);
  return errors;
}

}  // namespace sunder::io
