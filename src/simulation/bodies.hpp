#pragma once
/// The bodies as records, and back: what checkpoints store and what moves between ranks.

#include "element/model.hpp"
#include "partition/halo.hpp"
#include "partition/rows.hpp"

namespace sunder::simulation {

/// Collective. Nodes this rank owns and elements it counts, rows numbered in the order of ranks. pairs: of elements it
/// counts.
partition::RowShare rows_of(const element::Model& model, const partition::Halo& halo,
                            std::vector<partition::PairRecord> pairs);

/// Local. Elements this rank counts, with all their nodes. owners: (nodes) that they are to have; pairs as above.
partition::Records records_of(const element::Model& model, std::span<const Rank> owners,
                              std::vector<partition::PairRecord> pairs);

/// Local. The model of what this rank is to hold; materials, control and interfaces as of make_model().
element::Model model_from(Rank me, const partition::Records& records, std::vector<material::Material> materials,
                          const element::StepControl& control, std::vector<material::Interface> interfaces);

}  // namespace sunder::simulation
