#pragma once
/// Tetrahedra from a geometry, by netgen.

#include "mesh/mesh_data.hpp"

#include <string>

namespace sunder::io {

/// Which way a surface's triangles are taken to face.
enum class Facing { as_given, flipped };

/// Local; one rank calls it. `.stl`, `.obj`, `.ply`: a surface that check_surface() finds nothing wrong with. `.geo`:
/// netgen's solid geometry, without -maxh on its tlo lines. size: edge length aimed at [m], single edges come out up to
/// about twice as long; grading in (0, 1]: how fast sizes may change (surfaces). The same input gives the same mesh.
/// Orientation is what the mesher gives: check_mesh() follows. Throws Error if there is no mesh.
mesh::MeshData mesh_geometry(const std::string& path, double size, double grading, Facing facing = Facing::as_given);

}  // namespace sunder::io
