#pragma once
/// Which elements an impact pushes, and how hard.

#include "lattice/options.hpp"
#include "mesh/tet_mesh.hpp"

#include <span>
#include <vector>

namespace sunder::lattice {

/// Local. When the schedule is 1: as the scene says, or so that all steps together give the momentum [N].
Vec3 force_of(const Impact& impact, const Options& options);

/// Local. The share of the impacts' forces in a step that begins at a time and lasts dt [s].
double share_of_forces(const Options& options, double time, double dt);

/// Collective on comm: a few reductions an impact. (slots) force on each element held when the schedule is 1 [N]: of
/// each impact a share by mass, or all of it if the element is the nearest one, of equals that with the smallest id.
/// Throws Error (bad_input) on every rank if an impact meets no element, or the nearest one is farther than two of its
/// edges.
/// @param masses  (slots) of elements held [kg]
std::vector<Vec3> impact_forces(const Comm& comm, const mesh::TetMesh& mesh, std::span<const double> masses,
                                const Options& options);

}  // namespace sunder::lattice
