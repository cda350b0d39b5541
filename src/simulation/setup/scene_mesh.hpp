#pragma once
/// All bodies of a scene as one mesh. Runs on one rank.

#include "config/scene.hpp"
#include "partition/distribute.hpp"

namespace sunder::simulation {

/// The materials of the model: those of the scene, in its order, then turned copies for bodies that are turned and made
/// of materials with directions of their own, which turn with the body.
struct PlacedMaterials {
  std::vector<material::Material> all;
  std::vector<std::vector<MaterialIndex>> of_body;  ///< [body][material of the scene] -> place in `all`.
  std::vector<material::Interface> interfaces;      ///< Those of the scene, between places in `all`.
};

/// Local. A pure function of the scene: the same on every rank.
PlacedMaterials place_materials(const config::Scene& scene);

/// Local; one rank calls it. The mesh as its file or geometry gives it; a large file is noted in the log. Throws Error.
mesh::MeshData whole_mesh_of(const config::MeshSource& source);

/// Local. Meshes read or made, checked, placed in the world and joined into one; materials, levels of refinement,
/// initial velocities, and marks of the nodes that selection k names by body and set (bit k, selection.hpp), wherever
/// they are. Throws Error on bad input. Notes on what checking mended are appended to warnings.
partition::WholeMesh scene_mesh(const config::Scene& scene, std::vector<std::string>& warnings);

}  // namespace sunder::simulation
