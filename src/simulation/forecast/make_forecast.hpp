#pragma once
/// Counts what a scene will be, without refining its mesh. docs/meshes.md. Local; one rank calls it.

#include "config/scene.hpp"
#include "simulation/forecast/forecast.hpp"

namespace sunder::simulation {

/// Reads or makes the coarse meshes, and counts. Exact, but for the limit and for nodes within round-off of the border
/// of a selection. Throws Error where setting up the scene would, as far as a coarse mesh tells.
Forecast make_forecast(const config::Scene& scene);

}  // namespace sunder::simulation
