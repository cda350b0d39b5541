#include "contact/broad_phase/pair_list_builder.hpp"

#include <algorithm>

namespace sunder::contact {

PairListBuilder::PairListBuilder(const Comm& comm, const mesh::TetMesh& mesh, std::span<const LocalIndex> slots,
                                 std::span<const SurfaceElement> elements)
  : comm_(comm), mesh_(mesh), slots_(slots), elements_(elements), element_of_(elements.size(), -1)
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

int PairListBuilder::element(int surface_element)
{
  const auto i = static_cast<std::size_t>(surface_element);
  int& at = element_of_[i];
  if (at >= 0) return at;
  at = static_cast<int>(list_.elements.size());
  const SurfaceElementFacts& is = elements_[i].is;
  const LocalIndex slot = i < slots_.size() ? slots_[i] : -1;
  ListedElement listed{is.id, is.origin, {}, is.nodes, slot, is.primary, is.compliance, is.free};
  for (std::size_t a = 0; a < 4; ++a) listed.nodes[a] = node(is.nodes[a], is.owners[a]);
  list_.elements.push_back(listed);
  return at;
}

int PairListBuilder::node(NodeId id, Rank owner)
{
  const auto [at, is_new] = node_of_.try_emplace(id, static_cast<int>(list_.nodes.size()));
  if (is_new) {
    const auto known = mesh_.find(id);  // kept up to date only while some element around it is held
    const bool held = known && !mesh_.star(*known).empty();
    list_.nodes.push_back(held ? *known : -1);
    if (!held) wanted_[owner].emplace_back(id, at->second);
  }
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
