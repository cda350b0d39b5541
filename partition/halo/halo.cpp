#include "partition/halo/halo.hpp"

#include "core/error.hpp"
#include "core/sort_unique.hpp"
#include "core/tags.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace sunder::partition {
namespace {

/// Where a node is in a list that ascends by id, or would be.
std::vector<LocalIndex>::iterator place(std::vector<LocalIndex>& list, const mesh::TetMesh& mesh, LocalIndex n)
{
  return std::lower_bound(list.begin(), list.end(), mesh.node(n).id,
                          [&mesh](LocalIndex other, const NodeId& id) { return mesh.node(other).id < id; });
}

bool erase(std::vector<LocalIndex>& list, const mesh::TetMesh& mesh, LocalIndex n)
{
  const auto at = place(list, mesh, n);
  if (at == list.end() || *at != n) return false;
  list.erase(at);
  return true;
}

}  // namespace

std::vector<Rank> ranks_with_ghost(const mesh::TetMesh& mesh, LocalIndex n)
{
  std::vector<Rank> ranks;
  for (const LocalIndex e : mesh.star(n))
    for (const LocalIndex q : mesh.tet(e))
      if (const Rank r = mesh.node(q).owner; r != mesh.me()) ranks.push_back(r);
  sort_unique(ranks);
  return ranks;
}

Halo::Halo(const Comm& comm, const mesh::TetMesh& mesh, bool with_scalar)
  : comm_(comm), motion_(comm, tags::halo, with_scalar)
{
  std::map<Rank, Neighbour> by_rank;
  listed_.resize(static_cast<std::size_t>(mesh.num_nodes()), 0);
  std::vector<LocalIndex> nodes(static_cast<std::size_t>(mesh.num_nodes()));
  std::iota(nodes.begin(), nodes.end(), 0);
  std::sort(nodes.begin(), nodes.end(),
            [&mesh](LocalIndex a, LocalIndex b) { return mesh.node(a).id < mesh.node(b).id; });
  for (const LocalIndex n : nodes) {
    if (mesh.star(n).empty()) continue;
    if (!mesh.owned(n)) by_rank[mesh.node(n).owner].ghosts.push_back(n), listed_[static_cast<std::size_t>(n)] = 1;
    if (mesh.owned(n))
      for (const Rank r : ranks_with_ghost(mesh, n))
        by_rank[r].mirrors.push_back(n), listed_[static_cast<std::size_t>(n)] = 1;
  }
  for (auto& [rank, neighbour] : by_rank) {
    neighbour.rank = rank;
    peers_.push_back(rank);
    neighbours_.push_back(std::move(neighbour));
  }
  motion_.set(neighbours_);
}

std::size_t Halo::position_of(Rank peer) const
{
  const auto it = std::lower_bound(peers_.begin(), peers_.end(), peer);
  SUNDER_ASSERT(it != peers_.end() && *it == peer);
  return static_cast<std::size_t>(it - peers_.begin());
}

/// The lists exchanged with a rank, which may be new.
Neighbour& Halo::with(Rank peer)
{
  const auto at = std::lower_bound(peers_.begin(), peers_.end(), peer) - peers_.begin();
  if (at == std::ssize(peers_) || peers_[static_cast<std::size_t>(at)] != peer) {
    peers_.insert(peers_.begin() + at, peer);
    neighbours_.insert(neighbours_.begin() + at, {peer, {}, {}});
  }
  return neighbours_[static_cast<std::size_t>(at)];
}

/// Takes n off all lists. Was it on one?
bool Halo::drop(const mesh::TetMesh& mesh, LocalIndex n)
{
  if (std::exchange(listed_[static_cast<std::size_t>(n)], std::uint8_t{0}) == 0) return false;
  for (Neighbour& neighbour : neighbours_) erase(mesh.owned(n) ? neighbour.mirrors : neighbour.ghosts, mesh, n);
  return true;
}

/// Puts n on the lists that it belongs to. Are there any?
bool Halo::list(const mesh::TetMesh& mesh, LocalIndex n)
{
  const auto put = [&](std::vector<LocalIndex>& list) {
    list.insert(place(list, mesh, n), n);
    listed_[static_cast<std::size_t>(n)] = 1;
  };
  if (mesh.owned(n)) {
    for (const Rank r : ranks_with_ghost(mesh, n)) put(with(r).mirrors);
  } else if (!mesh.star(n).empty()) {
    put(with(mesh.node(n).owner).ghosts);
  }
  return listed_[static_cast<std::size_t>(n)] != 0;
}

void Halo::update(const mesh::TetMesh& mesh, std::span<const LocalIndex> changed)
{
  listed_.resize(static_cast<std::size_t>(mesh.num_nodes()), 0);
  bool lists_changed = false;
  for (const LocalIndex n : changed) {
    const bool was_listed = drop(mesh, n), is_listed = list(mesh, n);
    lists_changed = lists_changed || was_listed || is_listed;
  }
  if (!lists_changed) return;
  std::erase_if(neighbours_, [](const Neighbour& n) { return n.mirrors.empty() && n.ghosts.empty(); });
  peers_.clear();
  for (const Neighbour& neighbour : neighbours_) peers_.push_back(neighbour.rank);
  motion_.set(neighbours_);
}

void Halo::owners_to_ghosts(std::span<Row4> p, std::span<Row4> v)
{
  motion_.start(neighbours_, p, v);
  motion_.finish(neighbours_, p, v);
}

}  // namespace sunder::partition
