#pragma once
/// Small closed surfaces for tests.

#include "io/surfaces/triangle_surface.hpp"

#include <cmath>
#include <numbers>

namespace sunder::test {

inline void number(io::TriangleSurface& s)
{
  s.labels.clear();
  for (std::size_t t = 0; t < s.triangles.size(); ++t) s.labels.push_back(t + 1);
}

/// [0, 1]^3 in 12 triangles, moved.
inline io::TriangleSurface cube(const Vec3& at = Vec3::Zero(), double edge = 1)
{
  io::TriangleSurface s;
  for (int n = 0; n < 8; ++n) s.points.push_back(at + edge * Vec3(n & 1, (n >> 1) & 1, n >> 2));
  s.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  number(s);
  return s;
}

inline io::TriangleSurface sphere(int meridians, int bands)
{
  io::TriangleSurface s;
  const auto m = static_cast<std::uint32_t>(meridians), n = static_cast<std::uint32_t>(bands);
  s.points.push_back(Vec3::UnitZ());
  for (std::uint32_t j = 1; j < n; ++j)
    for (std::uint32_t i = 0; i < m; ++i) {
      const double polar = std::numbers::pi * j / n, azimuth = 2 * std::numbers::pi * i / m;
      s.points.emplace_back(std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth), std::cos(polar));
    }
  s.points.push_back(-Vec3::UnitZ());
  const auto at = [m](std::uint32_t i, std::uint32_t j) { return 1 + (j - 1) * m + i % m; };
  const auto south = static_cast<std::uint32_t>(s.points.size() - 1);
  for (std::uint32_t i = 0; i < m; ++i) {
    s.triangles.push_back({0, at(i, 1), at(i + 1, 1)});
    for (std::uint32_t j = 1; j + 1 < n; ++j) {
      s.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      s.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
    s.triangles.push_back({south, at(i + 1, n - 1), at(i, n - 1)});
  }
  number(s);
  return s;
}

/// Both, the second's triangles numbered behind the first's.
inline io::TriangleSurface together(io::TriangleSurface a, const io::TriangleSurface& b)
{
  const auto first = static_cast<std::uint32_t>(a.points.size());
  a.points.insert(a.points.end(), b.points.begin(), b.points.end());
  for (const auto& [p, q, r] : b.triangles) a.triangles.push_back({first + p, first + q, first + r});
  number(a);
  return a;
}

inline double volume(const io::TriangleSurface& s)
{
  double v = 0;
  for (const auto& [a, b, c] : s.triangles) v += s.points[a].cross(s.points[b]).dot(s.points[c]) / 6;
  return v;
}

}  // namespace sunder::test
