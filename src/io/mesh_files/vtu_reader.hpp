#pragma once
/// Unstructured grids of VTK: .vtu, and .pvtu over its pieces. docs/meshes.md.

#include "mesh/mesh_data.hpp"

#include <string>

namespace sunder::io {

/// Local. Tetrahedra, and triangles for their sets alone; any other cell is an error.
///
///   element, face sets   NAME_k for each value k of a cell array `material`, `Material`, `region`, `gmsh:physical` or
///                        `medit:ref`, integers, and each other integer cell array of zeros and ones, under its
///                        name; a face set is a node set too
///   node sets            each integer point array of zeros and ones, under its name
///   positions            point array `MaterialPosition` if there is one, as in frames this program writes; else points
///
/// Points of different pieces are one node if they have the same GlobalIds, an array declared so or named
/// `GlobalNodeId` as in frames this program writes, or, where a piece has no such array, the same coordinates to the
/// bit. Labels: GlobalIds (or `GlobalElementId`) if there are any, else VTK's numbers from 0, on through the pieces.
/// Throws Error with the file's name, for what VTK says too.
mesh::MeshData read_vtu(const std::string& path);

}  // namespace sunder::io
