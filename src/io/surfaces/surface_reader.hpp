#pragma once
/// Reads surfaces of any format.

#include "io/surfaces/triangle_surface.hpp"

#include <string>

namespace sunder::io {

/// Local. By its ending: .stl, .obj, .ply.
bool is_surface_file(const std::string& path);

/// Local. Text or binary of either byte order, polygons cut into triangles. Throws Error with file and line or byte.
TriangleSurface read_surface(const std::string& path);

/// Local. The same, with points that netgen would take for one, nearer than 1e-6 of the diagonal, made one.
TriangleSurface read_welded_surface(const std::string& path);

}  // namespace sunder::io
