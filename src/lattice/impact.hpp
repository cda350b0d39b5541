#pragma once
/// Which elements an impact pushes, and how hard.

#include "lattice/options.hpp"
#include "mesh/tet_mesh.hpp"

#include <span>
#include <vector>

namespace sunder::lattice {

/// Collective on comm: a few reductions an impact. (slots) force on each element held when the schedule is 1 [N]: of
/// each impact a share by mass, or all of it if the element is the nearest one, of equals that with the smallest id.
/// Throws Error (bad_input) on every rank if an impact meets no element.
/// @param masses  (slots) of elements held [kg]
std::vector<Vec3> impact_forces(const Comm& comm, const mesh::TetMesh& mesh, std::span<const double> masses,
                                std::span<const Impact> impacts);

}  // namespace sunder::lattice
