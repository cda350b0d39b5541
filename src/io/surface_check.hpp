#pragma once
/// Does a surface bound a solid? To be asked first: a mesher would fail without saying where. docs/meshes.md.

#include "io/triangle_surface.hpp"

#include <string>
#include <vector>

namespace sunder::io {

/// Local. Reads a surface with points that netgen would take for one, nearer than 1e-6 of the diagonal, made one.
TriangleSurface read_welded_surface(const std::string& path);

struct SurfaceMeasure {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< Corners of the box around it [m].
  double area = 0;                               ///< [m^2]
  double volume = 0;                             ///< Enclosed, of a surface without holes [m^3]; negative: inside out.
};
/// Local. By the divergence theorem.
SurfaceMeasure measure(const TriangleSurface& surface);

/// Local. What keeps a mesher from filling the surface, each with how many, the first triangle's number and a place;
/// empty: nothing. In this order, later ones only where earlier ones leave a meaning:
///
///   triangles without area; edges of one triangle (a hole), of more than two, of two that face different ways;
///   triangles that touch or cross others; shells that are inside out
///
/// Shells may be nested: one inside another bounds a cavity and faces into it. Points in one place must be one point:
/// weld() first. O(n log n) where triangles only meet at their edges.
std::vector<std::string> check_surface(const TriangleSurface& surface);

}  // namespace sunder::io
