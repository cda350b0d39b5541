#pragma once
/// Uniform refinement after distribution. A coarse mesh fits one rank, the refined one need not. docs/refinement.md.

#include "core/comm.hpp"
#include "partition/distribute/distribute.hpp"

namespace sunder::partition {

/// Collective. Divides every tetrahedron into eight as often as its level says: four children at its corners, and four
/// from the octahedron between them, after J. Bey, Tetrahedral grid refinement, Computing 55 (1995). Boundaries stay in
/// place. However often an element is divided, its descendants have at most three shapes, all of positive volume.
///
/// The result, ids and order included, is the same on any number of ranks. The law of docs/ownership.md holds without
/// sending an element: each rank divides what it holds and keeps the children of which it owns a node. Throws Error on
/// every rank, before anything is divided, if a rank would get more elements than a local index can number, or if ids
/// would need more than 62 bits.
Part refine(const Comm& comm, Part part);

}  // namespace sunder::partition
