#pragma once
/// What a lattice remembers from step to step, kept with the elements: so it can be stored, and migrate with them.
/// docs/lattice.md.

#include "lattice/breaking.hpp"
#include "mesh/lattice_memory.hpp"
#include "mesh/tet_mesh.hpp"
#include "partition/halo/halo.hpp"

#include <span>

namespace sunder::lattice {

/// Collective on the halo's neighbours, before the first step and after each. Tells the elements what has become of
/// their bonds. What a bond that broke in this step has given in all goes to what its two elements have received. All
/// holders of an element remember the same.
/// @param memory  (slots)
void remember(const Lattice& lattice, const mesh::TetMesh& mesh, const partition::Halo& halo,
              std::span<mesh::LatticeMemory> memory);

/// Collective on the bonds' peers. What elements remember of these bonds.
BondValues recall(const Bonds& bonds, std::span<const mesh::LatticeMemory> memory);

}  // namespace sunder::lattice
