#pragma once
/// Triangles of a surface divided into smaller ones, whose new points are displaced at random: detail that a picture
/// shows and the mesh does not have. docs/output.md.

#include "io/frames/frame.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace sunder::io {

struct SurfaceDetail {
  std::int64_t levels = 0;  ///< How often edges are halved.
  double roughness = 0;     ///< How far the middle of an edge is displaced at most, over the edge's length.
  std::int64_t seed = 1;    ///< Another seed, another shape.
};

/// What becomes of an edge of a triangle: it stays; it is divided, and its middle stays on it; its middle is displaced.
enum class EdgeDivision : std::uint8_t { none, straight, rough };

/// All triangles at an edge have to say the same of it.
struct RoughSurface {
  Frame frame;                                     ///< Of triangles. Its points are left to the caller.
  std::vector<Vec3> material, world;               ///< (nodes) where they are in the material and in the world [m]
  std::vector<Mat3> gradient;                      ///< (nodes) deformation gradient dx/dX
  std::vector<std::uint8_t> rough;                 ///< (triangles) 1: edges that division makes within it are rough
  std::vector<std::array<EdgeDivision, 3>> edges;  ///< (triangles) of the edge from corner k to the next
};

/// Local. Divides edges and with them triangles, `levels` times; halves of an edge are divided like it. The middle of a
/// rough edge with the ends A and B is displaced by roughness |B - A| u in the material, where u is a vector in the
/// unit ball that depends on the seed and the bits of A and B alone. In the world it is displaced by the mean of the
/// gradients at both ends times that. So triangles with the same corners in the material are divided into triangles
/// with the same corners there, bit for bit, in whatever order their corners come; and a surface that is closed stays
/// so. New nodes have ids made of those of the ends, the mean of their fields and their lesser owner; new triangles
/// have the element and the fields of the old one.
void subdivide(RoughSurface& surface, const SurfaceDetail& detail);

}  // namespace sunder::io
