#pragma once
/// All bodies of a scene as one mesh. Runs on one rank.

#include "config/scene.hpp"
#include "partition/distribute.hpp"

namespace sunder::simulation {

/// Local. Meshes read or made, checked, placed in the world and joined into one; materials, selections (bit k: boundary
/// condition k) and initial velocities of every node. Throws Error on bad input. Notes on what checking mended are
/// appended to warnings.
partition::WholeMesh assemble(const config::Scene& scene, std::vector<std::string>& warnings);

}  // namespace sunder::simulation
