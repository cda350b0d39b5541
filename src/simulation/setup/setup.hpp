#pragma once
/// From a scene to a distributed problem, ready for the first step.

#include "config/scene.hpp"
#include "element/model.hpp"
#include "partition/halo.hpp"

#include <memory>

namespace sunder::simulation {

struct Problem {
  element::Model model;
  std::unique_ptr<partition::Halo> halo;
  std::vector<contact::Obstacle> obstacles;     ///< With stiffness chosen where the scene left it open.
  GlobalIndex num_nodes = 0, num_elements = 0;  ///< Of the unbroken mesh.
  double mesh_size = 0;                         ///< Mean edge length of the unbroken mesh [m].
  std::vector<std::string> warnings;
};

/// Collective on comm. Each rank gets its part of the coarse mesh (simulation/setup/coarse_mesh.hpp) and refines it.
/// Bad input: one Error, on every rank.
Problem set_up(const Comm& comm, const config::Scene& scene);

/// Local. With stiffness chosen where the scene leaves it open. mesh_size: of the unbroken mesh [m].
std::vector<contact::Obstacle> completed_obstacles(const config::Scene& scene, double mesh_size);

}  // namespace sunder::simulation
