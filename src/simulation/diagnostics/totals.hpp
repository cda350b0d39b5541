#pragma once
/// Numbers that describe the bodies as a whole: counts, mass, momentum, and the hash of their bits.

#include "core/reduction.hpp"
#include "element/model.hpp"

namespace sunder::simulation {

/// Collective. Hash of the bits of every node (id, X, p, v) and element (id, corners, material, plastic strain), the
/// same on any number of ranks: each entity's hash carries its id, and they are added modulo 2^64, which no order
/// changes.
std::uint64_t state_hash(const element::Model& model, const Comm& comm);

/// Of nodes, each counted by its owner, and of elements.
struct Totals {
  GlobalIndex nodes = 0, elements = 0;
  double mass = 0;
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();

  /// Local. A rank's contribution becomes the sum over ranks, with the others of the reduction.
  void join(Reduction& all) { all.sum(nodes, elements, mass, momentum, angular_momentum); }
};
Totals local_totals(const element::Model& model);              ///< Local. This rank's.
Totals totals(const element::Model& model, const Comm& comm);  ///< Collective, one reduction. All ranks'.

}  // namespace sunder::simulation
