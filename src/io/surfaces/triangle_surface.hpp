#pragma once
/// A triangulated surface, as a file gives it: what a mesher fills with tetrahedra.

#include "core/types.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace sunder::io {

struct TriangleSurface {
  std::vector<Vec3> points;                             ///< [m], finite.
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< Positions in points; counter-clockwise seen from outside.
  std::vector<std::uint64_t> labels;                    ///< Of each triangle: its facet's number in the file, from 1.
};

/// Local. Points at most `distance` apart in space become one; others keep their order. O(n).
void weld(TriangleSurface& surface, double distance);

/// Local. Every triangle faces the other way.
void flip(TriangleSurface& surface);

struct SurfaceMeasure {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< Corners of the box around it [m].
  double area = 0;                               ///< [m^2]
  double volume = 0;                             ///< Enclosed, of a surface without holes [m^3]; negative: inside out.
};
/// Local. By the divergence theorem.
SurfaceMeasure measure(const TriangleSurface& surface);

}  // namespace sunder::io
