#pragma once
/// Surfaces in PLY files, G. Turk, The PLY polygon file format (1994).

#include "io/surfaces/triangle_surface.hpp"

namespace sunder::io {

/// Local. Text, or binary of either byte order. Elements `vertex` (x, y, z of any number type) and `face` (a list
/// vertex_indices or vertex_index); other elements and properties are passed over. Throws Error with line or byte.
/// Not by vtkPLYReader: it rounds coordinates to float, those of type double too.
TriangleSurface read_ply(const std::string& path);

}  // namespace sunder::io
