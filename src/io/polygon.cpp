#include "io/polygon.hpp"

#include <fmt/format.h>

#include <numeric>

namespace sunder::io {
namespace {

/// Twice the area vector. M. E. Newell's sum, which asks for no plane.
Vec3 area_vector(std::span<const Vec3> corners)
{
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum += (corners[i] - corners[0]).cross(corners[i + 1] - corners[0]);
  return sum;
}

/// Corners that are left, in a plane.
class Ring {
public:
  explicit Ring(std::span<const Vec3> corners) : corners_(corners), left_(corners.size())
  {
    std::iota(left_.begin(), left_.end(), 0u);
    normal_ = area_vector(corners).normalized();
  }
  std::size_t size() const { return left_.size(); }
  std::array<std::uint32_t, 3> triangle(std::size_t k) const
  {
    return {left_[(k + size() - 1) % size()], left_[k], left_[(k + 1) % size()]};
  }
  void cut_off(std::size_t k) { left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(k)); }

  /// Convex, and no other corner in or on it.
  bool is_ear(std::size_t k) const
  {
    const auto [a, b, c] = triangle(k);
    if (!(turn(a, b, c) > 0)) return false;
    for (const std::uint32_t p : left_)
      if (p != a && p != b && p != c && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    return true;
  }

private:
  /// Twice the area of the triangle, negative if it turns the other way.
  double turn(std::uint32_t a, std::uint32_t b, std::uint32_t c) const
  {
    return (corners_[b] - corners_[a]).cross(corners_[c] - corners_[a]).dot(normal_);
  }
  std::span<const Vec3> corners_;
  std::vector<std::uint32_t> left_;
  Vec3 normal_;
};

}  // namespace

std::vector<std::array<std::uint32_t, 3>> triangulate(std::span<const Vec3> corners)
{
  if (corners.size() == 3) return {{0, 1, 2}};
  std::vector<std::array<std::uint32_t, 3>> triangles;
  Ring ring(corners);
  while (ring.size() >= 3) {
    std::size_t k = 1 % ring.size();
    for (std::size_t tried = 0; !ring.is_ear(k); k = (k + 1) % ring.size())
      if (++tried == ring.size()) return {};
    triangles.push_back(ring.triangle(k));
    if (ring.size() == 3) break;
    ring.cut_off(k);
  }
  return triangles;
}

std::optional<PolygonProblem> add_polygon(Surface& surface, std::span<const std::uint32_t> corners, std::uint64_t label)
{
  constexpr std::size_t at_most = 1000;  // the time grows with the third power
  if (corners.size() < 3 || corners.size() > at_most)
    return PolygonProblem{fmt::format("a face of 3 to {} corners", at_most), fmt::format("{}", corners.size())};
  std::vector<Vec3> x;
  for (const std::uint32_t n : corners) x.push_back(surface.points[n]);
  const auto triangles = triangulate(x);
  if (triangles.empty()) return PolygonProblem{"a face that is flat and does not cross itself", "another"};
  for (const auto& [a, b, c] : triangles) {
    surface.triangles.push_back({corners[a], corners[b], corners[c]});
    surface.labels.push_back(label);
  }
  return {};
}

}  // namespace sunder::io
