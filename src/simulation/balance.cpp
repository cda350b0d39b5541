#include "simulation/balance.hpp"

#include "core/reduction.hpp"
#include "partition/decompose_parallel.hpp"
#include "simulation/bodies.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::simulation {
namespace {

/// Owner of every node held, from now on.
std::vector<Rank> new_owners(const element::Model& model, const partition::Halo& halo, std::span<const double> costs)
{
  const mesh::TetMesh& mesh = model.mesh;
  const Comm& comm = halo.comm();
  std::vector<LocalIndex> owned;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n) && !mesh.star(n).empty()) owned.push_back(n);
  partition::NodeBlock block;
  block.first = comm.sum_before(static_cast<GlobalIndex>(owned.size()));
  std::vector<GlobalIndex> row(static_cast<std::size_t>(mesh.num_nodes()), -1);
  std::vector<double> work;
  for (const LocalIndex n : owned) {
    row[static_cast<std::size_t>(n)] = block.first + static_cast<GlobalIndex>(work.size());
    double sum = 0;
    for (const LocalIndex e : mesh.star(n)) sum += costs[static_cast<std::size_t>(e)];
    work.push_back(sum);
  }
  halo.owners_to_ghosts(std::span<GlobalIndex>(row));
  double mine = 0;
  for (const double w : work) mine += w;
  const double unit = comm.sum(mine) / (1 << 28);  // weights that add up in 32 bits
  for (const double w : work) block.weights.push_back(std::max(1, static_cast<int>(std::lround(w / unit))));
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    auto& corners = block.tets.emplace_back();
    for (std::size_t a = 0; a < 4; ++a) corners[a] = row[static_cast<std::size_t>(mesh.tet(e)[a])];
  }
  const std::vector<Rank> of_owned = partition::decompose_blocks(comm, std::move(block));
  std::vector<Rank> owner(static_cast<std::size_t>(mesh.num_nodes()), -1);
  for (std::size_t k = 0; k < owned.size(); ++k) owner[static_cast<std::size_t>(owned[k])] = of_owned[k];
  halo.owners_to_ghosts(std::span<Rank>(owner));
  return owner;
}

}  // namespace

Imbalance imbalance(const Comm& comm, double mine)
{
  double sum = mine, most = mine;
  Reduction all;
  all.sum(sum), all.max(most);
  all.over(comm);
  const double mean = sum / comm.size();
  if (!(mean > 0)) return {};
  return {most / mean, most - mean};
}

partition::Records shared_out(const element::Model& model, const partition::Halo& halo, std::span<const double> costs,
                              std::vector<partition::PairRecord> pairs)
{
  const std::vector<Rank> owner = new_owners(model, halo, costs);
  return partition::deliver(halo.comm(), records_of(model, owner, std::move(pairs)));
}

}  // namespace sunder::simulation
