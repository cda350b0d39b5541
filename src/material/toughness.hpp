#pragma once
/// The toughness of a material, in the forms in which it is commonly given. docs/materials.md. Local.

#include "core/types.hpp"

#include <cstdint>
#include <limits>
#include <optional>

namespace sunder::material {

enum class ToughnessForm {
  force,   ///< tau of every node, whatever the mesh [N]; the form of the sources
  stress,  ///< tensile strength [Pa]
  K_Ic,    ///< fracture toughness [Pa sqrt(m)]
  G_c,     ///< fracture energy [J/m^2]
};

/// Which size of elements a toughness given as a force was found for. A force is the toughness of one mesh. At the tip
/// of a crack stress goes as 1/sqrt(h), and the force on a node as h^2 times that: on elements of another size h the
/// same stress intensity breaks a node of the force F (h / h_ref)^1.5.
struct ReferenceSize {
  enum class Kind : std::uint8_t {
    none,       ///< The force holds for every mesh.
    unrefined,  ///< That of the body's own mesh before it is refined: each level divides it by 2^1.5.
    given,      ///< `size`, against the mesh size of each node before fracture.
  };
  Kind kind = Kind::none;
  double size = 0;  ///< h_ref [m], > 0 if it is given.
  bool operator==(const ReferenceSize&) const = default;
};

/// The force [N] of a node of mesh size h [m] before fracture. Of an unrefined mesh: force itself; what refinement
/// makes of it is part of the material (refined_force()).
double force_at(double force, const ReferenceSize& reference, double h);

/// The force in a body whose elements were divided into eight `levels` times: force / 2^(1.5 levels), exactly where
/// levels is even; or force.
double refined_force(double force, const ReferenceSize& reference, int levels);

/// Strength that varies from place to place (Weibull): a volume V under uniform tension s fails with the probability
/// 1 - exp(-(V/V0) (s/s0)^m). The material is divided into cubes of volume V0. Each cube has one strength, drawn from
/// the seed and the place of the cube alone.
struct Weibull {
  double modulus = 0;  ///< m, > 0
  double volume = 0;   ///< V0 [m^3], > 0
  std::int64_t seed = 1;
};

/// Factor on the strength of a node at X that stands for `volume`: (-ln U)^(1/m), with U the random number of the cube
/// that X is in. A node that stands for several cubes is as strong as the weakest of so many.
double weibull_factor(const Weibull& w, const Vec3& X, double volume);

/// How the pull across a young crack fades as it opens. docs/cohesion.md.
enum class Softening : std::uint8_t {
  linear,
  bilinear,    ///< Steep until a third is left, then slow: concrete (Petersson 1981).
  exponential  ///< Steep first, with a long end.
};

/// What new surface takes, beside a strength.
struct Cohesion {
  double energy = 0;  ///< G_c [J/m^2]; 0: it takes nothing.
  Softening softening = Softening::linear;
  double shear_ratio =
      1;  ///< What a young crack bears along itself over what it bears across (Camacho and Ortiz's beta).
  bool operator==(const Cohesion&) const = default;
};

/// Two materials that touch, and the toughness of their joint.
struct Interface {
  MaterialIndex a = 0, b = 0;
  ToughnessForm form = ToughnessForm::force;
  double toughness = std::numeric_limits<double>::infinity();  ///< In the unit of its form.
  ReferenceSize reference;                                     ///< Of a force.
  Cohesion cohesion;                                           ///< Beside a stress.
};

}  // namespace sunder::material
