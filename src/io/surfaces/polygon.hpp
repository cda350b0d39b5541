#pragma once
/// Polygons of surface files, cut into triangles.

#include "io/surfaces/triangle_surface.hpp"

#include <optional>
#include <span>
#include <vector>

namespace sunder::io {

/// Local. Cuts off ears by vtkPolygon, in the plane the polygon spans best. Triangles as positions in corners, two
/// fewer than corners. Empty: the polygon crosses itself, has a corner twice, or is thinner than 1e-6 of its diagonal.
/// O(n^3) at worst.
std::vector<std::array<std::uint32_t, 3>> triangulate(std::span<const Vec3> corners);

struct PolygonProblem {
  std::string expected, got;
};

/// Local. A face of a file, corners as positions in surface.points, as triangles of that label; or what is wrong with
/// it.
std::optional<PolygonProblem> add_polygon(TriangleSurface& surface, std::span<const std::uint32_t> corners,
                                          std::uint64_t label);

}  // namespace sunder::io
