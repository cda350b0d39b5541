#pragma once
/// What all ranks find wrong with meshes, counted, and the first of each named.

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
  std::uint64_t label = 0;     ///< The file's number of it.
};

/// Findings of one kind in one body.
struct FaultTally {
  mesh::Fault fault{};
  std::int32_t body = 0;
  std::uint64_t count = 0;
  std::array<std::uint64_t, mesh::named_at_most> positions{}, labels{};  ///< Of the first in the file.

  std::string text() const;  ///< As check_mesh() says it.
};

/// Collective. Of all ranks' findings, each made once: the same on every rank and any number of ranks, ascending by
/// body and fault.
std::vector<FaultTally> tally(const Comm& comm, const std::vector<Finding>& findings);

}  // namespace sunder::partition
