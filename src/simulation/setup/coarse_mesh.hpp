#pragma once
/// The bodies as they are before any is refined, distributed to ranks: meshed and cut on one, or read from a file in
/// which they were cut beforehand (sunder partition). docs/meshes.md.

#include "config/scene.hpp"
#include "partition/distribute.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace sunder::simulation {

struct CoarseMesh {
  partition::Part part;
  double size = 0;           ///< Mean edge length once it is refined [m].
  GlobalIndex elements = 0;  ///< Likewise, over all ranks.
  std::vector<std::string> warnings;
};

/// Collective on comm. From partition.file if the scene names one: all ranks read it together, each its share. Else
/// rank 0 reads or makes the meshes, checks them, places the bodies, orders everything along the Hilbert curve and cuts
/// it. Bad input: one Error, on every rank.
CoarseMesh coarse_mesh(const Comm& comm, const config::Scene& scene);

/// Collective on comm, the work done by rank 0. The scene's bodies in `parts` parts, to a file for partition.file.
/// Throws Error on every rank.
void write_coarse_mesh(const Comm& comm, const config::Scene& scene, Rank parts, const std::filesystem::path& path);

/// Of such a file, as text for people. Local. Throws Error.
std::string describe_coarse_mesh(const std::filesystem::path& path);

}  // namespace sunder::simulation
