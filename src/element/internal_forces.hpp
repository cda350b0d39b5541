#pragma once
/// The inner loop of the explicit step: elasticity by any law of material/laws.hpp, viscosity and plasticity, T ch. 3.
/// If all materials of the scene share one isotropic law, the loop is compiled for that law alone. Otherwise, or if a
/// toughness has directions, each lane uses the law of its own material.

#include "element/element_blocks.hpp"

namespace sunder::element {

struct InternalForceSums {
  double viscous_power = 0;  ///< Sum over primary elements of vol S_nu : dE/dt >= 0 [W].
  /// Work that nodes did against plastic flow in this call: the sum over primary elements of vol S : dE^p [J], with S
  /// the elastic stress after the flow. elastic_energy() falls by vol/2 dE^p : C : dE^p more. No nodal force did
  /// that part: forces come from stresses on the yield surface, never from beyond it. Not negative if elasticity is
  /// isotropic.
  double plastic_work = 0;
  double min_stretch = 1;               ///< Smallest det F of all elements held; -infinity if one is NaN.
  LocalIndex min_stretch_element = -1;  ///< The first element with that; -1 if none is held.
  /// How much shorter deformation makes the stable step: an upper bound, over all held elements whose law stiffens, of
  /// their stable step at rest over that in their present state. 1 if no law stiffens.
  double stiffening = 1;
};

/// Of tension, in f.w: a quarter of the loop's time, which a step that looks for no failing node saves.
enum class Bounds : bool { left_out, summed };

/// Local. Adds the forces of all elements to f, in element order, and updates the plastic strain in blocks.
///   f.xyz  internal force on the corner: f_a = -(vol/2) F sigma grad N_a, T 3.32 [N]
///   f.w    if bounds are summed, an upper bound of the tensile force on the corner: the lesser of
///          vol/2 |F| max(0, lambda_max(sigma)) |grad N_a| and |F| |F^-1| |f_a| [N]; where toughness has directions, of
///          (|f+| + |f-| + |f*+| + |f*-|) / 2. fracture::screen() uses it.
/// @param p, v, f  (nodes) [m], [m/s], [N]
InternalForceSums add_internal_forces(ElementBlocks& blocks, std::span<const material::Material> materials,
                                      std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f,
                                      Bounds bounds = Bounds::summed);

/// Local. Elastic energy of the primary elements [J]. By St. Venant-Kirchhoff's law W = vol sigma : eps / 8.
double elastic_energy(const ElementBlocks& blocks, std::span<const material::Material> materials,
                      std::span<const Row4> p);

}  // namespace sunder::element
