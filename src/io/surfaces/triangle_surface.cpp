#include "io/surfaces/triangle_surface.hpp"

#include "core/hash.hpp"

#include <array>
#include <cmath>
#include <unordered_map>

namespace sunder::io {
namespace {

using Cell = std::array<double, 3>;  // whole numbers, and too large for an integer if the file is strange

struct CellHash {
  std::size_t operator()(const Cell& c) const
  {
    std::uint64_t h = 0;
    for (const double x : c) h = combine(h, std::bit_cast<std::uint64_t>(x + 0.0));  // -0 is 0
    return h;
  }
};

}  // namespace

void weld(TriangleSurface& surface, double distance)
{
  const double edge = distance > 0 ? 2 * distance : 1.0;
  std::unordered_map<Cell, std::vector<std::uint32_t>, CellHash> cells;
  std::vector<std::uint32_t> new_of_old(surface.points.size());
  std::vector<Vec3> kept;
  for (std::size_t i = 0; i < surface.points.size(); ++i) {
    const Vec3 x = surface.points[i];
    // A ball of the distance meets at most two cells along each axis.
    const Vec3 low = ((x.array() - distance) / edge).floor(), high = ((x.array() + distance) / edge).floor();
    std::uint32_t found = static_cast<std::uint32_t>(kept.size());
    for (int corner = 0; corner < 8 && found == kept.size(); ++corner) {
      Cell cell;
      for (int a = 0; a < 3; ++a) cell[static_cast<std::size_t>(a)] = (corner >> a) % 2 == 0 ? low[a] : high[a];
      if (const auto it = cells.find(cell); it != cells.end())
        for (const std::uint32_t k : it->second)
          if ((kept[k] - x).norm() <= distance) {
            found = k;
            break;
          }
    }
    new_of_old[i] = found;
    if (found < kept.size()) continue;
    const Vec3 home = (x.array() / edge).floor();
    cells[{home.x(), home.y(), home.z()}].push_back(found);
    kept.push_back(x);
  }
  surface.points = std::move(kept);
  for (auto& triangle : surface.triangles)
    for (std::uint32_t& n : triangle) n = new_of_old[n];
}

void flip(TriangleSurface& surface)
{
  for (auto& triangle : surface.triangles) std::swap(triangle[1], triangle[2]);
}

SurfaceMeasure measure(const TriangleSurface& surface)
{
  SurfaceMeasure m;
  if (surface.points.empty()) return m;
  m.low = m.high = surface.points.front();
  for (const Vec3& x : surface.points) m.low = m.low.cwiseMin(x), m.high = m.high.cwiseMax(x);
  const Vec3 origin = (m.low + m.high) / 2;
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 from = surface.points[a];
    const Vec3 twice = (surface.points[b] - from).cross(surface.points[c] - from);
    m.area += twice.norm() / 2, m.volume += twice.dot(from - origin) / 6;
  }
  return m;
}

}  // namespace sunder::io
