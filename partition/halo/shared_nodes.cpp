#include "partition/halo/shared_nodes.hpp"

#include "core/error.hpp"
#include "core/sort_unique.hpp"

#include <algorithm>
#include <utility>

namespace sunder::partition {
namespace {

/// Where a node is in a list that ascends by id, or would be.
std::vector<LocalIndex>::iterator place(std::vector<LocalIndex>& list, const mesh::TetMesh& mesh, LocalIndex n)
{
  return std::lower_bound(list.begin(), list.end(), mesh.node(n).id,
                          [&mesh](LocalIndex other, const NodeId& id) { return mesh.node(other).id < id; });
}

void erase(std::vector<LocalIndex>& list, const mesh::TetMesh& mesh, LocalIndex n)
{
  const auto at = place(list, mesh, n);
  if (at != list.end() && *at == n) list.erase(at);
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

std::size_t SharedNodes::position_of(Rank peer) const
{
  const auto it = std::lower_bound(peers_.begin(), peers_.end(), peer);
  SUNDER_ASSERT(it != peers_.end() && *it == peer);
  return static_cast<std::size_t>(it - peers_.begin());
}

/// The lists shared with a rank, which may be new.
Neighbour& SharedNodes::with(Rank peer)
{
  const auto at = std::lower_bound(peers_.begin(), peers_.end(), peer) - peers_.begin();
  if (at == std::ssize(peers_) || peers_[static_cast<std::size_t>(at)] != peer) {
    peers_.insert(peers_.begin() + at, peer);
    neighbours_.insert(neighbours_.begin() + at, {peer, {}, {}});
  }
  return neighbours_[static_cast<std::size_t>(at)];
}

/// Takes n off all lists. Was it on one?
bool SharedNodes::drop(const mesh::TetMesh& mesh, LocalIndex n)
{
  if (std::exchange(listed_[static_cast<std::size_t>(n)], std::uint8_t{0}) == 0) return false;
  for (Neighbour& neighbour : neighbours_) erase(mesh.owned(n) ? neighbour.mirrors : neighbour.ghosts, mesh, n);
  return true;
}

/// Puts n on the lists that it belongs to. Are there any?
bool SharedNodes::list(const mesh::TetMesh& mesh, LocalIndex n)
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
  return has(n);
}

bool SharedNodes::update(const mesh::TetMesh& mesh, std::span<const LocalIndex> changed,
                         std::span<const LocalIndex> wanted)
{
  listed_.resize(static_cast<std::size_t>(mesh.num_nodes()), 0);
  bool lists_changed = false;
  for (const LocalIndex n : changed) lists_changed |= drop(mesh, n);
  // So that lists that are new only grow at their ends.
  std::vector<LocalIndex> ascending(wanted.begin(), wanted.end());
  std::sort(ascending.begin(), ascending.end(),
            [&mesh](LocalIndex a, LocalIndex b) { return mesh.node(a).id < mesh.node(b).id; });
  for (const LocalIndex n : ascending) lists_changed |= list(mesh, n);
  if (!lists_changed) return false;
  std::erase_if(neighbours_, [](const Neighbour& n) { return n.mirrors.empty() && n.ghosts.empty(); });
  peers_.clear();
  for (const Neighbour& neighbour : neighbours_) peers_.push_back(neighbour.rank);
  return true;
}

}  // namespace sunder::partition
