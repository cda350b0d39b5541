#include "contact/broad_phase/pair_list_builder.hpp"

#include <algorithm>

namespace sunder::contact {

PairListBuilder::PairListBuilder(const Comm& comm, const mesh::TetMesh& mesh, const SweptSurface& swept,
                                 std::span<const SurfaceElement> others)
  : comm_(comm),
    mesh_(mesh),
    swept_(swept),
    others_(others),
    element_of_(static_cast<std::size_t>(swept.size()) + others.size(), -1),
    of_held_(static_cast<std::size_t>(mesh.num_nodes()), -1)
{
}

void PairListBuilder::add_pairs(std::vector<Found> found, std::size_t num_new, const PairList* earlier)
{
  const auto by_ids = [](const Found& x, const Found& y) { return x.ids < y.ids; };
  const auto taken_over = found.begin() + static_cast<std::ptrdiff_t>(num_new);
  std::sort(found.begin(), taken_over, by_ids);
  std::inplace_merge(found.begin(), taken_over, found.end(), by_ids);
  list_.pairs.reserve(found.size());
  for (const Found& f : found) {
    const bool is_new = f.earlier < 0;
    if (is_new) list_.new_pairs.push_back(static_cast<int>(list_.pairs.size()));
    ListedPair& pair =
        list_.pairs.emplace_back(is_new ? ListedPair{} : earlier->pairs[static_cast<std::size_t>(f.earlier)]);
    pair.a = element(f.first), pair.b = element(f.second);
  }
}

int PairListBuilder::element(int candidate)
{
  int& at = element_of_[static_cast<std::size_t>(candidate)];
  if (at >= 0) return at;
  at = static_cast<int>(list_.elements.size());
  const bool held = candidate < swept_.size();
  const LocalIndex slot = held ? swept_.slot(candidate) : -1;
  const SurfaceElementFacts& is =
      held ? swept_[candidate].is : others_[static_cast<std::size_t>(candidate - swept_.size())].is;
  ListedElement listed{is.id, is.origin, {}, is.nodes, slot, is.primary, is.compliance, is.free};
  for (std::size_t a = 0; a < 4; ++a)
    listed.nodes[a] = held ? held_node(mesh_.tet(slot)[a]) : node(is.nodes[a], is.owners[a]);
  list_.elements.push_back(listed);
  return at;
}

int PairListBuilder::held_node(LocalIndex n)
{
  int& at = of_held_[static_cast<std::size_t>(n)];
  if (at < 0) at = static_cast<int>(list_.nodes.size()), list_.nodes.push_back(n);
  return at;
}

int PairListBuilder::node(NodeId id, Rank owner)
{
  const auto [at, is_new] = node_of_.try_emplace(id, 0);
  if (!is_new) return at->second;
  const auto known = mesh_.find(id);  // kept up to date only while some element around it is held
  if (known && !mesh_.star(*known).empty()) return at->second = held_node(*known);
  at->second = static_cast<int>(list_.nodes.size());
  list_.nodes.push_back(-1);
  wanted_[owner].emplace_back(id, at->second);
  return at->second;
}

PairList PairListBuilder::finish()
{
  std::map<Rank, partition::Neighbour> neighbours;
  std::vector<Message> out;
  for (auto& [owner, nodes] : wanted_) {
    std::sort(nodes.begin(), nodes.end());
    out.push_back({owner, {}});
    for (const auto& [id, at] : nodes) {
      put(out.back().bytes, id);
      neighbours[owner].ghosts.push_back(at);
    }
  }
  for (const Message& message : sparse_exchange(comm_, out))
    for (ByteReader in(message.bytes); !in.done();)
      neighbours[message.peer].mirrors.push_back(*mesh_.find(in.get<NodeId>()));
  for (auto& [rank, neighbour] : neighbours) {
    neighbour.rank = rank;
    list_.neighbours.push_back(std::move(neighbour));
  }
  return std::move(list_);
}

}  // namespace sunder::contact
