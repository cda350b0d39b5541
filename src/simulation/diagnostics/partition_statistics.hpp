#pragma once
/// How the mesh and the work are spread over ranks.

#include "mesh/tet_mesh.hpp"
#include "partition/halo/halo.hpp"

#include <cstdint>
#include <span>

namespace sunder::simulation {

/// The same on every rank.
struct PartitionStatistics {
  double imbalance = 1;                      ///< Elements of the rank that holds most, over the mean.
  std::int64_t held_elements = 0;            ///< Over all ranks; more than there are: copies are computed too.
  std::int64_t shared_elements = 0;          ///< Held by more than one rank.
  std::int64_t ghosts = 0, most_ghosts = 0;  ///< Copies of other ranks' nodes: all, and of the rank that has most.
  std::int64_t messages = 0;                 ///< Of one halo exchange, all ranks.
  std::int64_t most_neighbours = 0;          ///< Ranks that one rank exchanges with.
};

/// Collective, one reduction. Of the elements and nodes ranks hold now.
PartitionStatistics partition_statistics(const mesh::TetMesh& mesh, const partition::Halo& halo);

/// How unevenly ranks worked.
struct Imbalance {
  double ratio = 1;   ///< Work of the rank that had most, over the mean.
  double excess = 0;  ///< Their difference [s]: what the others waited.
};
/// Collective, one reduction. costs: (slots) of each element, what it costs any rank that holds it [s of a processor],
/// as Stepper::element_costs() counts it. So ranks that have the same to do are balanced, whatever their clocks say.
Imbalance imbalance(const Comm& comm, const mesh::TetMesh& mesh, std::span<const double> costs);

}  // namespace sunder::simulation
