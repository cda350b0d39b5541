#pragma once
/// All bodies of a scene as one mesh. Runs on one rank.

#include "config/scene.hpp"
#include "partition/distribute.hpp"

namespace sunder::simulation {

/// Local. Meshes read or made, checked, placed in the world and joined into one; materials, levels of refinement,
/// initial velocities, and marks of the nodes that boundary condition k names by body and set (bit k), wherever they
/// are. Throws Error on bad input. Notes on what checking mended are appended to warnings.
partition::WholeMesh assemble(const config::Scene& scene, std::vector<std::string>& warnings);

}  // namespace sunder::simulation
