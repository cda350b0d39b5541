#pragma once
/// The stable limit of a mesh that is not refined yet. Local, one rank.

#include "config/scene.hpp"
#include "simulation/forecast/forecast.hpp"
#include "simulation/setup/scene_mesh.hpp"

namespace sunder::simulation {

/// Parts of an element are of at most three shapes, all of which are there after the first division; further ones only
/// make them smaller (partition/refine/bey.hpp). So each element of the coarse mesh is asked for eight parts at most.
LimitForecast limit_forecast(const config::Scene& scene, const SceneMesh& mesh);

}  // namespace sunder::simulation
