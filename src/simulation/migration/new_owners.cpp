#include "simulation/migration/new_owners.hpp"

#include "core/error.hpp"
#include "core/memory.hpp"
#include "mesh/union_find.hpp"
#include "partition/decompose/relabel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sunder::simulation {
namespace {

/// Collective. What is wrong with a decomposition, the same on every rank: what threw on this one, or what it gave.
std::optional<std::string> flaw(const Comm& comm, std::optional<std::string> problem, std::span<const Rank> owners,
                                GlobalIndex all_nodes)
{
  std::map<Rank, std::vector<std::byte>> given;
  for (const Rank r : owners) {
    if (r >= 0 && r < comm.size())
      given[r];
    else if (!problem)
      problem = fmt::format("a node was given to rank {}, expected one of {} ranks", r, comm.size());
  }
  const bool idle = sparse_exchange(comm, std::move(given)).empty();
  if (idle && all_nodes >= comm.size() && !problem)
    problem = fmt::format("rank {} was given none of {} nodes", comm.rank(), all_nodes);
  return first_of(comm, problem);
}

/// Of nodes that hang together by links, all go where the first of them goes.
/// @param owned  (of_owned) nodes
void keep_links_together(const element::Model& model, std::span<const LocalIndex> owned, std::span<Rank> of_owned)
{
  if (model.links.empty() || of_owned.empty()) return;
  std::vector<LocalIndex> place(static_cast<std::size_t>(model.mesh.num_nodes()), -1);
  for (std::size_t k = 0; k < owned.size(); ++k) place[static_cast<std::size_t>(owned[k])] = static_cast<LocalIndex>(k);
  mesh::UnionFind sets(owned.size());
  for (const element::ModelLink& link : model.links)
    sets.unite(place[static_cast<std::size_t>(link.plus)], place[static_cast<std::size_t>(link.minus)]);
  for (std::size_t k = 0; k < owned.size(); ++k)
    of_owned[k] = of_owned[static_cast<std::size_t>(sets.find(static_cast<LocalIndex>(k)))];
}

}  // namespace

NewOwners new_owners(const element::Model& model, const partition::Halo& halo, std::vector<double> costs,
                     const Partitioner& partitioner)
{
  const mesh::TetMesh& mesh = model.mesh;
  const Comm& comm = halo.comm();
  std::vector<LocalIndex> owned;
  partition::NodeRows rows;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    if (!mesh.owned(n) || mesh.star(n).empty()) continue;
    owned.push_back(n);
    double work = 0;
    for (const LocalIndex e : mesh.star(n)) work += costs[static_cast<std::size_t>(e)];
    rows.weights.push_back(work);
  }
  release(costs);
  rows.first = comm.sum_before(static_cast<GlobalIndex>(owned.size()));
  std::vector<GlobalIndex> row(static_cast<std::size_t>(mesh.num_nodes()), -1);
  for (std::size_t k = 0; k < owned.size(); ++k)
    row[static_cast<std::size_t>(owned[k])] = rows.first + static_cast<GlobalIndex>(k);
  halo.owners_to_ghosts(std::span<GlobalIndex>(row));
  rows.corners = [&](std::size_t k, std::vector<GlobalIndex>& out) {
    for (const LocalIndex e : mesh.star(owned[k]))
      for (const LocalIndex n : mesh.tet(e)) out.push_back(row[static_cast<std::size_t>(n)]);
  };
  // In the material, where bodies are whole: debris flies far, and elements join what lies together there.
  rows.position = [&](std::size_t k) { return mesh.node(owned[k]).X; };

  std::vector<Rank> of_owned;
  NewOwners owners;
  try {
    of_owned = partitioner(comm, rows);
  } catch (const Error& error) {
    owners.problem = error.what();
  }
  keep_links_together(model, owned, of_owned);
  owners.problem = flaw(comm, std::move(owners.problem), of_owned, comm.sum(static_cast<GlobalIndex>(owned.size())));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) owners.of_nodes.push_back(mesh.node(n).owner);
  if (owners.problem) return owners;
  SUNDER_ASSERT(of_owned.size() == owned.size());
  of_owned = partition::keep_in_place(comm, of_owned, rows.weights);
  for (std::size_t k = 0; k < owned.size(); ++k) owners.of_nodes[static_cast<std::size_t>(owned[k])] = of_owned[k];
  halo.owners_to_ghosts(std::span<Rank>(owners.of_nodes));
  return owners;
}

}  // namespace sunder::simulation
