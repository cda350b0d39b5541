#pragma once
/// How many nodes and faces each selection of a scene has once its bodies are refined. Local, one rank.

#include "config/scene.hpp"
#include "partition/refine/refined_counts.hpp"
#include "simulation/forecast/forecast.hpp"
#include "simulation/setup/scene_mesh.hpp"

namespace sunder::simulation {

/// Of every body that is refined its edges and faces, in nodes of the whole mesh; of the others none is asked for.
std::vector<partition::MeshEntities> entities_of_bodies(const config::Scene& scene, const SceneMesh& mesh);

/// Of a body, as it is before it is refined.
struct OuterSurface {
  GlobalIndex faces = 0;
  double thin = 0;  ///< Share of the body's volume in elements that have no corner within.
};
OuterSurface outer_surface(const SceneMesh& mesh, std::size_t body);

/// As select_by_place() and select_loaded_faces() would find them. Throws Error, with the words of these, if a
/// selection has no node or a load no face.
std::vector<SelectionForecast> count_selections(const config::Scene& scene, const SceneMesh& mesh,
                                                const std::vector<partition::MeshEntities>& bodies);

}  // namespace sunder::simulation
