#pragma once
/// All bodies of a scene as one mesh. Runs on one rank.

#include "config/scene.hpp"
#include "partition/distribute/distribute.hpp"

namespace sunder::simulation {

/// Local; one rank calls it. The mesh as its file or geometry gives it; a large file is noted in the log. Throws Error.
mesh::MeshData whole_mesh_of(const config::MeshSource& source);

/// A mesh of all bodies, in the order of the scene.
struct SceneMesh {
  partition::WholeMesh whole;
  std::vector<GlobalIndex> first_node, first_element;  ///< (bodies + 1) Where each begins, and the number of all.
};

/// Local. Meshes read or made, checked, placed in the world and joined into one; materials, levels of refinement,
/// initial velocities, and marks of the nodes that selection k names by body and set (bit k, selection.hpp), wherever
/// they are. Throws Error on bad input. Notes on what checking mended are appended to warnings.
SceneMesh scene_mesh(const config::Scene& scene, std::vector<std::string>& warnings);

/// What a mesh will be once it is refined.
struct RefinedMeasure {
  double size = 0;  ///< Mean edge length [m].
  GlobalIndex elements = 0;
};
/// Local.
RefinedMeasure refined_measure(const partition::WholeMesh& whole);

}  // namespace sunder::simulation
