#pragma once
/// How hard a node has to be pulled apart to fail. docs/materials.md.

#include "element/model.hpp"

namespace sunder::element {

/// A node fails when its separation exceeds the lesser of `force` and `stress` times its effective area across the
/// plane of the crack.
struct NodeStrength {
  double force = 0;   ///< [N]
  double stress = 0;  ///< [Pa]
};

/// Stress at which a node of mesh size h fails next to a crack loaded by K_Ic: crack_tip_factor K_Ic / sqrt(h).
/// Measured once, on the edge crack of tests/physics/edge_crack_test.cpp.
inline constexpr double crack_tip_factor = 0.62;

/// Local. Of an owned node, from the materials of the elements around it and their interfaces: where it has several,
/// the least of every pair's interface, and of a pair without one, the least of both.
NodeStrength node_strength(const Model& model, LocalIndex n);

/// Local. Share of the residual that an owned node passes on when it fails: the least of the materials around it, as a
/// crack that one of them holds up is held up.
double residual_share(const Model& model, LocalIndex n);

/// Local. Force at which n fails across a plane with unit normal n_hat in the world: min(force, stress A(n_hat)).
///
/// A(n_hat) = (h/s)^2 sum_e vol/2 |N_hat . grad N|, N_hat being n_hat in the material: what a stress of 1 along n_hat,
/// uniform around the node, makes of the largest eigenvalue of its separation tensor. h is the mesh size before
/// fracture, s the same mean length of edges now: refinement by cutting does not change A. [N]
double toughness_across(const Model& model, LocalIndex n, const Vec3& n_hat);

/// Local. No more than toughness_across() any plane, for screening. [N]
double least_toughness(const Model& model, LocalIndex n);

}  // namespace sunder::element
