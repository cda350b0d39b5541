#pragma once
/// Where the coarse mesh comes from: one rank or all ranks together make and decompose it, or it was decomposed
/// beforehand by `sunder partition`. docs/meshes.md.

#include "config/scene.hpp"
#include "simulation/setup/coarse_mesh.hpp"

#include <filesystem>
#include <string>

namespace sunder::simulation {

/// Collective on comm. From partition.file if the scene names one: all ranks read it together, each its slice. Else
/// if all meshes are files that can be read in slices, all ranks read, check, place and decompose them together. Else
/// rank 0 reads or makes the meshes, checks them, places the bodies, orders everything along the Hilbert curve and
/// decomposes it. Bad input: one Error, on every rank.
CoarseMesh coarse_mesh(const Comm& comm, const config::Scene& scene);

/// Collective on comm, the work done by rank 0. The scene's bodies in `parts` parts, to a file for partition.file.
/// Throws Error on every rank.
void write_coarse_mesh(const Comm& comm, const config::Scene& scene, Rank parts, const std::filesystem::path& path);

/// Of such a file, as text for people. Local. Throws Error.
std::string describe_coarse_mesh(const std::filesystem::path& path);

}  // namespace sunder::simulation
