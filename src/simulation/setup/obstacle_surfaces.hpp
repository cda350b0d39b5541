#pragma once
/// Surfaces of obstacles that are meshes.

#include "config/scene.hpp"
#include "core/comm.hpp"

namespace sunder::simulation {

/// Collective. The scene with the surfaces that its obstacles name: rank 0 reads the files, every rank holds all of
/// them. Throws Error on every rank if one is not closed, or no solid for another reason
/// (io/surfaces/surface_check.hpp).
config::Scene with_obstacle_surfaces(const Comm& comm, config::Scene scene);

}  // namespace sunder::simulation
