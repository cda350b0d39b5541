#include "contact/broad_phase/pair_list_builder.hpp"

#include <algorithm>

namespace sunder::contact {
namespace {

/// Where a key stands; grows the table to have it.
int& entry(std::vector<int>& table, LocalIndex key)
{
  const auto k = static_cast<std::size_t>(key);
  if (k >= table.size()) table.resize(k + 1, -1);
  return table[k];
}

/// A position for one more entry: a gap, or the end.
template <class T>
int place(std::vector<T>& entries, std::vector<int>& gaps)
{
  if (gaps.empty()) {
    entries.emplace_back();
    return static_cast<int>(entries.size()) - 1;
  }
  const int k = gaps.back();
  gaps.pop_back();
  return k;
}

partition::Neighbour& with(std::vector<partition::Neighbour>& neighbours, Rank rank)
{
  const auto place = std::lower_bound(neighbours.begin(), neighbours.end(), rank,
                                      [](const partition::Neighbour& n, Rank r) { return n.rank < r; });
  if (place != neighbours.end() && place->rank == rank) return *place;
  return *neighbours.insert(place, {rank, {}, {}});
}

}  // namespace

std::array<NodeId, 8> PairList::corners(const ListedPair& pair) const
{
  std::array<NodeId, 8> corners;
  for (std::size_t c = 0; c < 8; ++c) {
    const ListedElement& e = elements[static_cast<std::size_t>(c < 4 ? pair.a : pair.b)];
    corners[c] = node_ids[static_cast<std::size_t>(e.nodes[c % 4])];
  }
  return corners;
}

void PairList::make_room(std::size_t more)
{
  constexpr std::size_t share = 8;  // one in so many may come later
  if (const std::size_t needed = pairs.size() + more; needed > pairs.capacity())
    pairs.reserve(needed + pairs.size() / share);
}

void PairList::forget_change()
{
  new_nodes = std::vector<int>(), lost = std::vector<LostPair>();
}

void PairListBuilder::begin(const ListWindow& window)
{
  begin_change();
  for (const TouchingPair& touching : list_.touching) lose(touching);
  PairListBuilder fresh;
  fresh.list_.pairs = std::move(list_.pairs), fresh.list_.pairs.clear();  // for its room
  fresh.list_.window = window;
  fresh.list_.lost = std::move(list_.lost);
  fresh.list_.neighbours_changed = true;
  *this = std::move(fresh);
}

void PairListBuilder::begin_change()
{
  list_.new_nodes.clear(), list_.lost.clear();
  list_.neighbours_changed = false;
}

/// What a pair that goes remembers.
void PairListBuilder::lose(const TouchingPair& t)
{
  list_.lost.push_back({t.ids, t.overlap, t.initial_overlap, list_.corners(t.pair)});
}

int& PairListBuilder::element_of(LocalIndex slot)
{
  return slot >= 0 ? entry(element_of_held_, slot) : entry(element_of_other_, ~slot);
}

void PairListBuilder::remove(LocalIndex slot)
{
  const int e = std::exchange(element_of(slot), -1);
  if (e < 0) return;
  is_removed_.resize(list_.elements.size(), 0);
  is_removed_[static_cast<std::size_t>(e)] = 1, removed_.push_back(e);
  for (const int node : list_.elements[static_cast<std::size_t>(e)].nodes) {
    const auto k = static_cast<std::size_t>(node);
    if (--uses_[k] > 0 || list_.nodes[k] < 0) continue;  // what another rank sends it goes on to send
    of_held_[static_cast<std::size_t>(list_.nodes[k])] = -1;
    free_nodes_.push_back(node);
  }
}

void PairListBuilder::end_removal()
{
  if (!removed_.empty()) drop_pairs_of_removed();
  list_.first_new_pair = list_.pairs.size();
}

/// All in one pass: lists of the pairs of each element would take more memory than the pairs.
void PairListBuilder::drop_pairs_of_removed()
{
  const auto is_gone = [this](const ListedPair& pair) {
    return (is_removed_[static_cast<std::size_t>(pair.a)] | is_removed_[static_cast<std::size_t>(pair.b)]) != 0;
  };
  std::erase_if(list_.pairs, is_gone);
  std::erase_if(list_.touching, [&](const TouchingPair& touching) {
    const bool gone = is_gone(touching.pair);
    if (gone) lose(touching);
    return gone;
  });
  for (const int e : removed_) is_removed_[static_cast<std::size_t>(e)] = 0;
  free_elements_.insert(free_elements_.end(), removed_.begin(), removed_.end());
  removed_.clear();
}

void PairListBuilder::add_pairs(const SweptBodies& bodies, std::span<const Found> found,
                                std::span<const SurfaceElement> others)
{
  list_.make_room(found.size());
  for (const Found& f : found) {
    const int a = element(bodies, f.first, others);
    list_.pairs.push_back({a, element(bodies, f.second, others), f.plane});
  }
}

int PairListBuilder::element(const SweptBodies& bodies, LocalIndex slot, std::span<const SurfaceElement> others)
{
  if (const int known = element_of(slot); known >= 0) return known;
  const mesh::TetMesh& mesh = bodies.mesh;
  ListedElement e;
  e.slot = slot;
  if (slot >= 0) {
    e.id = mesh.element_id(slot), e.primary = mesh.primary(slot), e.free = bodies.surface.free_faces(slot);
    e.compliance = compliance(bodies, slot);
    for (std::size_t a = 0; a < 4; ++a) e.nodes[a] = held_node(mesh, mesh.tet(slot)[a]);
  } else {
    const SurfaceElementFacts& is = others[static_cast<std::size_t>(~slot)].is;
    e.id = is.id, e.free = is.free, e.compliance = is.compliance;
    for (std::size_t a = 0; a < 4; ++a) e.nodes[a] = node_of_other(mesh, is, a);
  }
  const int k = place(list_.elements, free_elements_);
  list_.elements[static_cast<std::size_t>(k)] = e;
  for (const int node : e.nodes) ++uses_[static_cast<std::size_t>(node)];
  return element_of(slot) = k;
}

int PairListBuilder::new_node(LocalIndex n, NodeId id, const Vec3& X)
{
  const int k = place(list_.nodes, free_nodes_);
  const auto i = static_cast<std::size_t>(k);
  if (list_.node_ids.size() < list_.nodes.size())
    list_.node_ids.emplace_back(), list_.X.emplace_back(), uses_.push_back(0);
  list_.nodes[i] = n, list_.node_ids[i] = id, list_.X[i] = X;
  list_.new_nodes.push_back(k);
  return k;
}

int PairListBuilder::held_node(const mesh::TetMesh& mesh, LocalIndex n)
{
  const int known = entry(of_held_, n);
  return known >= 0 ? known : of_held_[static_cast<std::size_t>(n)] = new_node(n, mesh.node(n).id, mesh.node(n).X);
}

int PairListBuilder::node_of_other(const mesh::TetMesh& mesh, const SurfaceElementFacts& element, std::size_t corner)
{
  const NodeId id = element.nodes[corner];
  const auto known = mesh.find(id);  // kept up to date only while some element around it is held
  if (known && !mesh.star(*known).empty()) return held_node(mesh, *known);
  const auto [sent, is_new] = of_others_.try_emplace(id, 0);
  if (!is_new) return sent->second;
  sent->second = new_node(-1, id, Vec3(element.X[corner].data()));
  wanted_[element.owners[corner]].emplace_back(id, sent->second);
  return sent->second;
}

void PairListBuilder::let_go(const mesh::TetMesh& mesh, LocalIndex n)
{
  if (watched(n)) {
    const int k = std::exchange(watched_at_[static_cast<std::size_t>(n)], -1);
    const WatchedNode last = list_.watched.back();
    list_.watched.pop_back();
    if (last.node != n)
      list_.watched[static_cast<std::size_t>(k)] = last, watched_at_[static_cast<std::size_t>(last.node)] = k;
  }
  const int k = std::exchange(entry(of_held_, n), -1);
  if (k < 0) return;
  list_.nodes[static_cast<std::size_t>(k)] = -1;
  of_others_[mesh.node(n).id] = k;
  wanted_[mesh.node(n).owner].emplace_back(mesh.node(n).id, k);
}

void PairListBuilder::watch(LocalIndex n, const NodeMotion& motion)
{
  int& k = entry(watched_at_, n);
  if (k < 0) k = static_cast<int>(list_.watched.size()), list_.watched.push_back({n, {}});
  list_.watched[static_cast<std::size_t>(k)].motion = motion;
}

void PairListBuilder::ask_owners(const Comm& comm, const mesh::TetMesh& mesh, std::span<const Rank> ranks)
{
  std::vector<Bytes> out(ranks.size());
  for (auto& [owner, nodes] : wanted_) {
    const auto to = std::lower_bound(ranks.begin(), ranks.end(), owner);
    SUNDER_ASSERT(to != ranks.end() && *to == owner);
    std::vector<LocalIndex>& ghosts = with(list_.neighbours, owner).ghosts;
    for (const auto& [id, k] : nodes) put(out[static_cast<std::size_t>(to - ranks.begin())], id), ghosts.push_back(k);
    list_.neighbours_changed = true;
  }
  wanted_.clear();
  const std::vector<Bytes> in = exchange(comm, ranks, out);
  for (std::size_t k = 0; k < ranks.size(); ++k)
    for (ByteReader reader(in[k]); !reader.done();) {
      with(list_.neighbours, ranks[k]).mirrors.push_back(*mesh.find(reader.get<NodeId>()));
      list_.neighbours_changed = true;
    }
}

}  // namespace sunder::contact
