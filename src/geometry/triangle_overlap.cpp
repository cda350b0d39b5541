#include "geometry/triangle_overlap.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace sunder::geometry {
namespace {

constexpr double round_off = 1e-14;

/// A triangle or a segment, relative to an origin.
struct Shape {
  Shape(std::span<const Vec3> of, const Vec3& origin) : size(of.size())
  {
    for (std::size_t i = 0; i < size; ++i) corner[i] = of[i] - origin;
    num_edges = size == 3 ? 3 : 1;
    for (std::size_t i = 0; i < num_edges; ++i) edge[i] = corner[(i + 1) % size] - corner[i];
    if (size == 3) normal = edge[0].cross(edge[1]);
  }
  double extent() const
  {
    double e = 0;
    for (std::size_t i = 0; i < size; ++i) e = std::max(e, corner[i].norm());
    return e;
  }

  std::size_t size = 0, num_edges = 0;
  std::array<Vec3, 3> corner, edge;
  Vec3 normal = Vec3::Zero();  // none of a segment
};

bool separates(const Vec3& direction, const Shape& a, const Shape& b, double skin)
{
  const double length = direction.norm();
  if (!(length > std::numeric_limits<double>::min())) return false;
  const auto range = [&direction](const Shape& s) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < s.size; ++i) {
      const double x = direction.dot(s.corner[i]);
      low = std::min(low, x), high = std::max(high, x);
    }
    return std::pair(low, high);
  };
  const auto [low_a, high_a] = range(a);
  const auto [low_b, high_b] = range(b);
  return std::max(low_a - high_b, low_b - high_a) > skin * length;
}

/// Any axis along which there is a gap proves it, so an ill-determined one does no harm.
bool disjoint(const Shape& a, const Shape& b)
{
  const double skin = round_off * std::max(a.extent(), b.extent());
  for (const Shape* s : {&a, &b}) {
    if (separates(s->normal, a, b, skin)) return true;
    for (const Shape* other : {&a, &b})
      for (std::size_t k = 0; k < other->num_edges; ++k)
        if (separates(s->normal.cross(other->edge[k]), a, b, skin)) return true;
  }
  for (std::size_t i = 0; i < a.num_edges; ++i)
    for (std::size_t k = 0; k < b.num_edges; ++k)
      if (separates(a.edge[i].cross(b.edge[k]), a, b, skin)) return true;
  return false;
}

}  // namespace

bool apart(const Triangle& a, const Triangle& b)
{
  return disjoint(Shape(a, a[0]), Shape(b, a[0]));
}

bool meet_beyond_corner(const Triangle& a, const Triangle& b)
{
  const Vec3& origin = a[0];
  const auto across = [&origin](const Triangle& t) { return Shape(std::span(t).subspan(1), origin); };
  return !disjoint(across(a), Shape(b, origin)) || !disjoint(across(b), Shape(a, origin));
}

bool folded(const Triangle& a, const Triangle& b)
{
  constexpr double angle = 1e-9;
  const Vec3 edge = (a[1] - a[0]).normalized();
  const auto height = [&](const Triangle& t) -> Vec3 { return (t[2] - t[0]) - edge * edge.dot(t[2] - t[0]); };
  const Vec3 u = height(a), v = height(b);
  return u.dot(v) > 0 && u.cross(v).norm() <= angle * u.norm() * v.norm();
}

}  // namespace sunder::geometry
