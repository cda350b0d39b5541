#pragma once
/// Surfaces in STL files.

#include "io/surfaces/triangle_surface.hpp"

namespace sunder::io {

/// Local. Text or binary: binary if the size is what its header says. Each triangle has three points of its own; weld()
/// joins them. Normals are not believed: the order of corners counts. Throws Error with line or byte.
/// Not by vtkSTLReader: it rounds the coordinates of a text to float.
TriangleSurface read_stl(const std::string& path);

}  // namespace sunder::io
