#include "partition/halo/halo.hpp"

#include "core/error.hpp"
#include "core/sort_unique.hpp"
#include "core/tags.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace sunder::partition {
namespace {

void sort_unique_by_id(std::vector<LocalIndex>& nodes, const mesh::TetMesh& mesh)
{
  sort_unique(nodes);
  std::sort(nodes.begin(), nodes.end(),
            [&mesh](LocalIndex a, LocalIndex b) { return mesh.node(a).id < mesh.node(b).id; });
}

}  // namespace

Halo::Halo(const Comm& comm, const mesh::TetMesh& mesh) : comm_(comm), motion_(comm, tags::halo)
{
  std::vector<LocalIndex> all(static_cast<std::size_t>(mesh.num_slots()));
  std::iota(all.begin(), all.end(), 0);
  rebuild(mesh, all);
}

std::size_t Halo::position_of(Rank peer) const
{
  const auto it = std::lower_bound(peers_.begin(), peers_.end(), peer);
  SUNDER_ASSERT(it != peers_.end() && *it == peer);
  return static_cast<std::size_t>(it - peers_.begin());
}

void Halo::rebuild(const mesh::TetMesh& mesh, std::span<const LocalIndex> touched)
{
  border_.insert(border_.end(), touched.begin(), touched.end());
  sort_unique(border_);
  std::erase_if(border_, [&mesh](LocalIndex e) { return !mesh.alive(e) || !mesh.on_border(e); });
  derive(mesh);
  motion_.set(neighbours_);
}

void Halo::derive(const mesh::TetMesh& mesh)
{
  std::map<Rank, Neighbour> by_rank;
  for (const LocalIndex e : border_) {
    const Tet& tet = mesh.tet(e);
    for (const LocalIndex q : tet) {
      const Rank owner = mesh.node(q).owner;
      if (owner != mesh.me()) {
        by_rank[owner].ghosts.push_back(q);
      } else {
        for (const LocalIndex other : tet)
          if (const Rank r = mesh.node(other).owner; r != owner) by_rank[r].mirrors.push_back(q);
      }
    }
  }
  neighbours_.clear(), peers_.clear();
  for (auto& [rank, neighbour] : by_rank) {
    neighbour.rank = rank;
    sort_unique_by_id(neighbour.mirrors, mesh);
    sort_unique_by_id(neighbour.ghosts, mesh);
    peers_.push_back(rank);
    neighbours_.push_back(std::move(neighbour));
  }
}

void Halo::owners_to_ghosts(std::span<Row4> p, std::span<Row4> v)
{
  motion_.start(neighbours_, p, v);
  motion_.finish(neighbours_, p, v);
}

}  // namespace sunder::partition
