#pragma once
/// Does a surface bound a solid? To be asked first: a mesher would fail without saying where. docs/meshes.md.

#include "io/surfaces/triangle_surface.hpp"

#include <string>
#include <vector>

namespace sunder::io {

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
