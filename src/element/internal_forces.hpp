#pragma once
/// The explicit step's inner loop: elasticity by any law of material/laws.hpp, viscosity and plasticity, T ch. 3. A
/// scene whose materials share one isotropic law runs a loop that knows no other; in one of several laws, or with
/// directions, each lane follows its own.

#include "element/element_blocks.hpp"

namespace sunder::element {

struct InternalForceSums {
  double viscous_power = 0;  ///< Sum over counted elements of vol S_nu : dE/dt >= 0 [W].
  /// Sum over counted elements of vol S : dE^p of this call [J], with S the elastic stress after the flow: what the
  /// nodes have done against it. elastic_energy() loses vol/2 dE^p : C : dE^p more, which they never put in, as no
  /// force of theirs was ever met by the stress beyond the yield surface. Not negative where elasticity is isotropic.
  double plastic_work = 0;
  double min_stretch = 1;               ///< Smallest det F over all elements held; -infinity if one is not a number.
  LocalIndex min_stretch_element = -1;  ///< The first element that has it; -1 if none is held.
  /// The stable step at rest over that of an element as it is now: a bound for the largest ratio of any element held
  /// whose law stiffens; 1 if none does.
  double stiffening = 1;
};

/// Local. f.xyz += internal force of every element on its corners [N], in element order;
/// f.w += a bound of the tensile force on the corner, |f+_a| <= vol/2 |F| max(0, lambda_max(sigma)) |grad N_a| [N],
/// so that nodes far from failure are passed over (fracture/screen); where toughness has directions, of
/// (|f+| + |f-| + |f*+| + |f*-|) / 2 instead. p [m], v [m/s], f: (nodes).
/// Plastic strain in blocks is brought up to date. f_a = -(vol/2) F sigma grad N_a, T 3.32.
InternalForceSums add_internal_forces(ElementBlocks& blocks, std::span<const material::Material> materials,
                                      std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f);

/// Local. Elastic energy of the counted elements; of St. Venant-Kirchhoff's law W = vol sigma : eps / 8 [J].
double elastic_energy(const ElementBlocks& blocks, std::span<const material::Material> materials,
                      std::span<const Row4> p);

}  // namespace sunder::element
