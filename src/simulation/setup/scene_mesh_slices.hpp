#pragma once
/// All bodies of a scene as one mesh that no rank ever has: the counterpart of scene_mesh() for files of any size.

#include "config/scene.hpp"
#include "simulation/setup/coarse_mesh.hpp"

namespace sunder::simulation {

/// Collective. Has some body a mesh file that ranks can read in slices, and can what else the scene asks of its bodies
/// be done in slices? The same on every rank, as is the Error if rank 0 cannot look into one.
bool can_be_sliced(const Comm& comm, const config::Scene& scene);

/// Collective. Every rank reads its slice of the files; together they check the meshes, place the bodies, order
/// everything along the Hilbert curve and decompose it. Numbers, and with them every bit of a run, come out as where
/// one rank does it. Throws Error on every rank, the same whatever their number.
CoarseMesh assemble_slices(const Comm& comm, const config::Scene& scene);

}  // namespace sunder::simulation
