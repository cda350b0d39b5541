#pragma once
/// The crack algorithm: rounds of screen, choose, plan, notify, apply, split stars, until no node fails.
/// docs/fracture.md.

#include "element/model.hpp"
#include "fracture/apply.hpp"
#include "fracture/options.hpp"
#include "partition/halo.hpp"

namespace sunder::fracture {

/// What one step's fracture did. events and the losses: this rank's share, to be summed over ranks.
struct CrackResult {
  std::int64_t events = 0;                    ///< Nodes of this rank that failed and were parted.
  int rounds = 0;                             ///< The same on every rank.
  bool unfinished = false;                    ///< Nodes still failed after max_rounds. The same on every rank.
  double kinetic_loss = 0;                    ///< [J], entry "remeshing" of the ledger
  std::vector<LocalIndex> elements;           ///< Slots of this rank that changed, ascending.
  std::vector<Lineage> lineage;               ///< Elements made around edges of this rank, parents before children.
  Vec3 angular_momentum_loss = Vec3::Zero();  ///< Of lumped masses, by bisection [kg m^2/s]
};

/// Collective. Parts every node that fails in the current state, starting from those `screened` on each rank (owned
/// nodes; screen()), until none does. The mesh, the model's fields and the halo are consistent again on return, on
/// every rank; the result does not depend on the number of ranks by a bit.
CrackResult crack(element::Model& model, partition::Halo& halo, std::span<const LocalIndex> screened,
                  const FractureOptions& options);

}  // namespace sunder::fracture
