#pragma once
/// What a material withstands before it is parted, in the forms people know it. docs/materials.md.

#include "core/types.hpp"

#include <limits>
#include <optional>

namespace sunder::material {

enum class ToughnessForm {
  force,   ///< tau, of every node, whatever the mesh [N]: the sources' form
  stress,  ///< tensile strength [Pa]
  K_Ic,    ///< fracture toughness [Pa sqrt(m)]
  G_c,     ///< fracture energy [J/m^2]
};

/// Strength that varies from place to place: of a volume V under uniform tension s, the share 1 - exp(-(V/V0) (s/s0)^m)
/// fails. Material is divided into cubes of volume V0; each has one strength, drawn from seed and place alone.
struct Weibull {
  double modulus = 0;  ///< m, > 0
  double volume = 0;   ///< V0 [m^3], > 0
  std::int64_t seed = 1;
};

/// Strength at X over the strength given, of a node that stands for `volume`: (-ln U)^(1/m), U the draw of the cube
/// that X is in; a node that stands for more than one cube is as strong as the weakest of so many.
double weibull_factor(const Weibull& w, const Vec3& X, double volume);

/// Two materials that are joined, and how well.
struct Interface {
  MaterialIndex a = 0, b = 0;
  ToughnessForm form = ToughnessForm::force;
  double toughness = std::numeric_limits<double>::infinity();  ///< In the unit of its form.
};

}  // namespace sunder::material
