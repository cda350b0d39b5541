#pragma once
/// The toughness of a node: how much separation it bears before it fails. docs/materials.md.

#include "element/model.hpp"

#include <span>

namespace sunder::element {

/// A node fails when v+ exceeds the lesser of `force` and of `stress` times A(n_hat), its effective area across the
/// plane of the crack (toughness_across()).
struct NodeStrength {
  double force = 0;             ///< [N]
  double stress = 0;            ///< [Pa]
  material::Cohesion cohesion;  ///< What new surface takes where it is parted.
};

/// At the tip of a crack loaded by K_Ic, a node of mesh size h fails at the stress crack_tip_factor K_Ic / sqrt(h). The
/// factor was measured on the edge crack of tests/physics/edge_crack_test.cpp.
inline constexpr double crack_tip_factor = 0.62;

/// Local. The strength of an owned node: the least of the materials of the elements around it.
NodeStrength node_strength(const Model& model, LocalIndex n);

/// Local. Of a crack at owned node n with these materials along one of its sides and those along the other: the least
/// of their interfaces if each two have one, else the node's own.
NodeStrength strength_between(const Model& model, LocalIndex n, std::span<const MaterialIndex> one_side,
                              std::span<const MaterialIndex> other_side);

/// Local. alpha, the share of the residual that an owned node passes on when it fails. It is the least of the materials
/// around the node: a crack that one of them stops is stopped.
double residual_share(const Model& model, LocalIndex n);

/// Local. Force at which n fails across a plane with unit normal n_hat in the world: min(force, stress A(n_hat)).
///
/// A(n_hat) = (h/s)^2 sum_e vol/2 |N_hat . grad N| [m^2], with N_hat the direction n_hat in the material. A is the
/// largest eigenvalue of the separation tensor that a uniform stress of 1 Pa along n_hat makes. h is the mesh size
/// before fracture, s the mean length of the edges around the node now. (h/s)^2 keeps A the same when cutting refines
/// the mesh; where new surface takes energy it is left out, and so is what A has of faces that were free before
/// fracture: they join nothing, so the tip of a notch bears what the material before it does. A stays above half of
/// what it were with them. A half of a node that was parted has little area along the crack; until its links have
/// broken, theirs belongs to A as well. Returns [N].
double toughness_across(const Model& model, LocalIndex n, const Vec3& n_hat);

/// The plane across which a node is nearest to failing.
struct WeakestPlane {
  Principal separation;  ///< What pulls across it [N], and its unit normal in the world.
  double toughness = 0;  ///< What it bears [N].
  int interface = -1;    ///< Of model.interfaces, the one that the plane is that of; -1: none.

  double ratio() const { return separation.value / toughness; }
};

/// Local. Of an owned node with separation tensor s [N]. Through the materials that is the plane of the greatest
/// principal value, v+. An interface has its own plane, the mean of its faces around the node. What pulls across it is
/// |s+ n|, s+ the part of s with positive principal values; with a G_c it is the effective_pull() of the
/// force_across(). An interface that is cut off or has no face at the node is none.
WeakestPlane weakest_plane(const Model& model, LocalIndex n, const Mat3& s);

/// What screening has to know of a node's toughness.
struct ToughnessBound {
  double force = 0;      ///< A lower bound of what the node bears across any plane, but for across.sliding [N]
  StrengthBound across;  ///< Of toughness_across(), free faces in A.
};
/// Local.
ToughnessBound toughness_bound(const Model& model, LocalIndex n);
double least_toughness(const Model& model, LocalIndex n);  ///< Local. The force of that.
bool breakable(const Model& model, LocalIndex n);          ///< Local. Can an owned node fail, by the model's bounds?

}  // namespace sunder::element
