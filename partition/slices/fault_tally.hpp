#pragma once
/// Counts what all ranks find wrong with meshes, and names the first of each kind.

#include "core/comm.hpp"
#include "mesh/mesh_fault.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sunder::partition {

struct Finding {
  mesh::Fault fault{};
  std::int32_t body = 0;
  std::uint64_t position = 0;  ///< In the order of the file.
  std::uint64_t label = 0;     ///< Its number in the file.
};

/// Findings of one kind in one body.
struct FaultTally {
  mesh::Fault fault{};
  std::int32_t body = 0;
  std::uint64_t count = 0;
  std::array<std::uint64_t, mesh::named_at_most> positions{}, labels{};  ///< Of the first in the file.

  std::string text() const;  ///< The same text as of check_mesh().
};

/// Collective. Tallies the findings of all ranks, ascending by body and fault. Only one rank may report a finding. The
/// result is the same on every rank and for any number of ranks.
std::vector<FaultTally> tally(const Comm& comm, const std::vector<Finding>& findings);

}  // namespace sunder::partition
