#include "simulation/diagnostics/partition_statistics.hpp"

#include "core/reduction.hpp"

#include <algorithm>

namespace sunder::simulation {

PartitionStatistics partition_statistics(const mesh::TetMesh& mesh, const partition::Halo& halo)
{
  const Comm& comm = halo.comm();
  std::int64_t held = 0, shared = 0, ghosts = 0;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const Tet& t = mesh.tet(e);
    const bool alone = std::all_of(t.begin(), t.end(), [&mesh](LocalIndex n) { return mesh.owned(n); });
    ++held, shared += !alone && mesh.primary(e);
  }
  for (const partition::Neighbour& neighbour : halo.neighbours())
    ghosts += static_cast<std::int64_t>(neighbour.ghosts.size());
  PartitionStatistics s;
  std::int64_t most_held = held;
  s.held_elements = held, s.shared_elements = shared, s.ghosts = s.most_ghosts = ghosts;
  s.messages = s.most_neighbours = static_cast<std::int64_t>(halo.neighbours().size());
  Reduction all;
  all.sum(s.held_elements, s.shared_elements, s.ghosts, s.messages);
  all.max(most_held, s.most_ghosts, s.most_neighbours);
  all.over(comm);
  s.imbalance =
      static_cast<double>(most_held) * comm.size() / static_cast<double>(std::max<std::int64_t>(1, s.held_elements));
  return s;
}

Imbalance imbalance(const Comm& comm, const mesh::TetMesh& mesh, std::span<const double> costs)
{
  double sum = 0;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.alive(e)) sum += costs[static_cast<std::size_t>(e)];
  double most = sum;
  Reduction all;
  all.sum(sum), all.max(most);
  all.over(comm);
  const double mean = sum / comm.size();
  if (!(mean > 0)) return {};
  return {most / mean, most - mean};
}

}  // namespace sunder::simulation
