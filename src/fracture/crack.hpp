#pragma once
/// The crack algorithm: rounds of choose, plan, notify, apply, split stars, evaluate, until no node fails.
/// docs/fracture.md.

#include "element/model.hpp"
#include "fracture/apply.hpp"
#include "fracture/choose.hpp"
#include "fracture/failing_nodes.hpp"
#include "fracture/node_set.hpp"
#include "fracture/options.hpp"
#include "partition/halo/halo.hpp"

namespace sunder::fracture {

/// What one call of crack() did. Events and losses are this rank's; sum them over ranks.
struct CrackResult {
  std::int64_t events = 0;                    ///< Nodes of this rank that failed and were split.
  std::int64_t events_of_all = 0;             ///< Of all ranks.
  int rounds = 0;                             ///< The same on every rank.
  bool unfinished = false;                    ///< Nodes still failed after max_rounds. The same on every rank.
  double kinetic_loss = 0;                    ///< [J], entry "remeshing" of the ledger
  double released_energy = 0;                 ///< [J], as released_energy() of each event when it happened
  std::int64_t elements_more = 0;             ///< Than before, of those that this rank counts.
  std::vector<LocalIndex> elements;           ///< Slots of this rank that changed, ascending.
  std::vector<LocalIndex> nodes;              ///< That are, or were, their corners, ascending.
  std::vector<Lineage> lineage;               ///< Elements made from held ones, parents before children.
  std::vector<NodeCopy> splits;               ///< Of nodes held.
  Vec3 angular_momentum_loss = Vec3::Zero();  ///< Of lumped masses, by bisection [kg m^2/s]
  AddedMass added_mass;                       ///< For the sake of the step, by bisection
};

/// Arrays over the mesh that a crack works with, empty between calls. Kept, so that a call costs what it touches.
struct Scratch {
  explicit Scratch(const element::Model& model) : evaluation(model) {}

  Evaluation evaluation;
  Choice choice;
  NodeSet evaluated;
};

/// Collective. Splits nodes that fail in the current state, in rounds, until none fails or after options.max_rounds.
/// `failed`: owned nodes that failed before nodes moved; they are evaluated again, in the current state. On return the
/// mesh, the model's fields and the halo agree again, on every rank, and are the same bits for any number of ranks.
/// It takes eight exchanges with neighbours and one reduction a round, two exchanges and one reduction beside them;
/// three exchanges more a round where surface takes energy, and those of Exclusion, if options.exclusion is not 0.
/// Throws Error (simulation_failed) on every rank if an element made has no positive volume.
/// @param time  now [s]: when the faces were made that this makes
CrackResult crack(element::Model& model, partition::Halo& halo, std::span<const LocalIndex> failed,
                  const FractureOptions& options, double time, Scratch& scratch);
CrackResult crack(element::Model& model, partition::Halo& halo, std::span<const LocalIndex> failed,
                  const FractureOptions& options, double time = 0);

}  // namespace sunder::fracture
