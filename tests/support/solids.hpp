#pragma once
/// Closed surfaces of simple solids, for the tests of obstacles that are meshes.

#include "geometry/closed_surface.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

namespace sunder::test {

struct Solid {
  std::vector<Vec3> points;
  std::vector<geometry::TriangleCorners> triangles;
};

inline Solid brick(const Vec3& size, const Vec3& at = Vec3::Zero())
{
  Solid s;
  for (int n = 0; n < 8; ++n)
    s.points.push_back(at + size.cwiseProduct(Vec3((n & 1) - 0.5, ((n >> 1) & 1) - 0.5, (n >> 2) - 0.5)));
  s.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return s;
}

/// About z; rows of (radius, z) from the bottom up, the first and the last with radius 0.
inline Solid turned(const std::vector<std::pair<double, double>>& rows, std::uint32_t meridians)
{
  Solid s;
  const auto rings = static_cast<std::uint32_t>(rows.size()) - 2;
  for (std::uint32_t j = 1; j <= rings; ++j)
    for (std::uint32_t i = 0; i < meridians; ++i) {
      const double angle = 2 * std::numbers::pi * i / meridians;
      s.points.emplace_back(rows[j].first * std::cos(angle), rows[j].first * std::sin(angle), rows[j].second);
    }
  const auto bottom = static_cast<std::uint32_t>(s.points.size()), top = bottom + 1;
  s.points.emplace_back(0, 0, rows.front().second), s.points.emplace_back(0, 0, rows.back().second);
  const auto at = [meridians](std::uint32_t j, std::uint32_t i) { return j * meridians + i % meridians; };
  for (std::uint32_t i = 0; i < meridians; ++i) {
    s.triangles.push_back({bottom, at(0, i + 1), at(0, i)});
    for (std::uint32_t j = 0; j + 1 < rings; ++j) {
      s.triangles.push_back({at(j, i), at(j, i + 1), at(j + 1, i + 1)});
      s.triangles.push_back({at(j, i), at(j + 1, i + 1), at(j + 1, i)});
    }
    s.triangles.push_back({top, at(rings - 1, i), at(rings - 1, i + 1)});
  }
  return s;
}

/// With hemispheres beyond both ends of the length, or without.
inline Solid round_bar(double radius, double length, bool capsule, std::uint32_t meridians)
{
  std::vector<std::pair<double, double>> rows{{0, -length / 2 - (capsule ? radius : 0)}};
  const int bands = static_cast<int>(meridians) / 4;
  for (int j = 1; capsule && j < bands; ++j) {
    const double polar = std::numbers::pi / 2 * j / bands;
    rows.emplace_back(radius * std::sin(polar), -length / 2 - radius * std::cos(polar));
  }
  rows.emplace_back(radius, -length / 2), rows.emplace_back(radius, length / 2);
  for (int j = bands - 1; capsule && j > 0; --j) {
    const double polar = std::numbers::pi / 2 * j / bands;
    rows.emplace_back(radius * std::sin(polar), length / 2 + radius * std::cos(polar));
  }
  rows.emplace_back(0, length / 2 + (capsule ? radius : 0));
  return turned(rows, meridians);
}

inline std::shared_ptr<const geometry::ClosedSurface> surface_of(Solid s)
{
  return std::make_shared<geometry::ClosedSurface>(std::move(s.points), std::move(s.triangles));
}

}  // namespace sunder::test
