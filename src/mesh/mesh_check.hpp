#pragma once
/// Is a mesh fit to be simulated? Every mesh that enters is asked. docs/remeshing.md.

#include "mesh/mesh_data.hpp"
#include "mesh/mesh_fault.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sunder::mesh {

/// What to do with a node that merely hinges parts that share no face there.
enum class Hinges { report, split };

struct MeshReport {
  std::vector<std::string> errors;  ///< Each names nodes or elements by the file's numbers; empty: fit.
  std::vector<std::string> notes;   ///< What was mended.
};

/// Local. Overflowing, flat (a volume of at most 1e-9 of that of a regular tetrahedron of its longest edge) or
/// inverted; nothing if its volume is positive.
std::optional<Fault> fault_of_shape(const std::array<Vec3, 4>& corners);

/// Local. Turns elements that all have negative volume round (netgen's), drops unused nodes, splits hinges if asked to.
/// Errors: coordinates that are no numbers, elements that are inverted, flat or too large for arithmetic, coincident
/// nodes (without ids), elements that stand twice, faces of more than two elements, hinges. O(n log n).
MeshReport check_mesh(MeshData& mesh, Hinges hinges);

}  // namespace sunder::mesh
