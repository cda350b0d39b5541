#pragma once
/// Netgen's library behind one function, in a library of its own that mesh_geometry() loads when it first fills a
/// surface: netgen brings ninety libraries, which would cost each rank of each run 45 MB and most of its start.

#include "io/surfaces/triangle_surface.hpp"
#include "mesh/mesh_data.hpp"

#include <string>

/// Local. Fills a closed surface with tetrahedra; size, grading: as of mesh_geometry(). Adds nodes and elements with
/// their labels to data. fault: why there is no mesh; as it was if there is one.
extern "C" void sunder_fill_surface(const sunder::io::TriangleSurface& surface, double size, double grading,
                                    sunder::mesh::MeshData& data, std::string& fault);
