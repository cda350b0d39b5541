#pragma once
/// Work shared out anew among ranks while a run goes on: nodes change owner, elements follow, no bit changes.
/// docs/ownership.md.

#include "element/model.hpp"
#include "partition/halo.hpp"
#include "partition/records.hpp"

#include <span>
#include <vector>

namespace sunder::simulation {

/// How unevenly ranks worked.
struct Imbalance {
  double ratio = 1;   ///< Work of the rank that had most, over the mean.
  double excess = 0;  ///< Their difference [s]: what the others waited.
};
/// Collective. mine: what this rank spent on work of its own [s of its processor].
Imbalance imbalance(const Comm& comm, double mine);

/// Collective. What this rank is to hold from now on, by PT-Scotch, so that costs are as even as nodes
/// allow.
/// @param costs  (slots) of each element held, in any unit that all ranks share
/// @param pairs  memory of the elements this rank counts
partition::Records shared_out(const element::Model& model, const partition::Halo& halo, std::span<const double> costs,
                              std::vector<partition::PairRecord> pairs);

}  // namespace sunder::simulation
