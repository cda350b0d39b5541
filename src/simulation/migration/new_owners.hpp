#pragma once
/// Who owns which node after repartitioning. docs/ownership.md.

#include "element/model.hpp"
#include "partition/decompose/node_rows.hpp"
#include "partition/halo/halo.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder::simulation {

/// Collective. Gives each row an owner, or throws an Error on every rank: decompose_rows(), partition_along_curve().
using Partitioner = std::function<std::vector<Rank>(const Comm& comm, const partition::NodeRows& rows)>;

struct NewOwners {
  std::vector<Rank> of_nodes;          ///< (nodes) The old ones if there is a problem.
  std::optional<std::string> problem;  ///< With the decomposition, the same on every rank.
};
/// Collective. A decomposition of the nodes in which costs are as even as nodes allow, its parts to ranks that have
/// much of them. There is a problem if the partitioner throws, gives a node to a rank that does not exist, or leaves a
/// rank without any though there are enough.
/// @param costs  (slots) of each element held, in any unit that all ranks share
NewOwners new_owners(const element::Model& model, const partition::Halo& halo, std::vector<double> costs,
                     const Partitioner& partitioner);

}  // namespace sunder::simulation
