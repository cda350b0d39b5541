#pragma once
/// Uniform refinement after distribution: a mesh too large for any one rank from one that is not. docs/refinement.md.

#include "core/comm.hpp"
#include "partition/distribute.hpp"

namespace sunder::partition {

/// Collective. Divides every tetrahedron into eight as often as its level says: four at the corners, four of the
/// octahedron between them, after J. Bey, Tetrahedral grid refinement, Computing 55 (1995). Boundaries stay where they
/// are. The parts of an element are of at most three shapes however often it is divided, all of positive volume.
///
/// The result, ids and order included, is the same on any number of ranks. It keeps the law of docs/ownership.md: each
/// rank divides what it holds and keeps the parts of which it owns a node, no element is sent. Throws Error on every
/// rank if a rank would get more elements than local indices (before the first level), or ids more than 62 bits.
Part refine(const Comm& comm, Part part);

}  // namespace sunder::partition
