#pragma once
/// Surfaces in OBJ files.

#include "io/surfaces/triangle_surface.hpp"

namespace sunder::io {

/// Local. Points (v) and faces (f, numbers from 1 or from the end back); normals, textures, groups, materials, lines
/// are passed over; anything else is an error. Throws Error with the line.
/// Not by vtkOBJReader: it rounds coordinates to float.
TriangleSurface read_obj(const std::string& path);

}  // namespace sunder::io
