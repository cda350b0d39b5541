#pragma once
/// The bodies as records, and back: what checkpoints store and what moves between ranks.

#include "element/model.hpp"
#include "partition/distribute/rows.hpp"
#include "partition/halo/halo.hpp"

namespace sunder::simulation {

/// Collective. Nodes this rank owns and elements it counts, rows numbered in the order of ranks. pairs: of
/// elements held; those of elements it counts are taken.
partition::RowSlice rows_of(const element::Model& model, const partition::Halo& halo,
                            std::vector<partition::PairRecord> pairs);

/// Local. One node held.
partition::NodeRecord node_record(const element::Model& model, LocalIndex n);

/// Local. One link of an owned node.
partition::LinkRecord link_record(const element::Model& model, const element::ModelLink& link);

/// Local. One element held, with all it has.
void append_element(const element::Model& model, LocalIndex e, partition::ElementTable& to);

/// Local. The model of what this rank is to hold; materials, step options and interfaces as of make_model(). Frees the
/// records of nodes and elements as the model grows.
element::Model model_from(Rank me, partition::MigrationRecords& records, std::vector<material::Material> materials,
                          const element::StepOptions& step_options, std::vector<material::Interface> interfaces);

}  // namespace sunder::simulation
