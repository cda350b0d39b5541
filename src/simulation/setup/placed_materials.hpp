#pragma once
/// What bodies are made of once they are placed and refined. Local, pure functions of the scene: the same on every
/// rank.

#include "config/scene.hpp"

#include <span>
#include <string>
#include <vector>

namespace sunder::simulation {

/// The materials of the model: those of the scene, in its order, then copies for bodies in which they are not the same:
/// turned, where a material has directions of its own, which turn with the body, and with a smaller force as toughness,
/// where that was found for the mesh before it was refined.
struct PlacedMaterials {
  std::vector<material::Material> all;
  std::vector<std::vector<MaterialIndex>> of_body;  ///< [body][material of the scene] -> place in `all`.
  std::vector<material::Interface> interfaces;      ///< Those of the scene, between places in `all`.
};

/// Throws Error, on every rank alike, if the copies are too many for a MaterialIndex.
PlacedMaterials place_materials(const config::Scene& scene);

/// Where a toughness given as a force meets a mesh refined beyond what it was given for.
std::vector<std::string> notes_on_forces(const config::Scene& scene);

/// Local. A warning for each material with a strength and an energy in which the zone before a crack that links hold is
/// shorter than two elements, with the size that would do, and where an exclusion reaches further than it goes. size:
/// mean edge of the unbroken mesh [m]. exclusion: fracture.exclusion.
std::vector<std::string> notes_on_cohesion(std::span<const material::Material> materials,
                                           std::span<const material::Interface> interfaces, double size,
                                           double exclusion);

}  // namespace sunder::simulation
