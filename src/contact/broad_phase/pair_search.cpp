#include "contact/broad_phase/pair_search.hpp"

#include "contact/broad_phase/bodies_cover.hpp"
#include "core/stopwatch.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sunder::contact {
namespace {

constexpr std::size_t batch = 1 << 16;  // of pairs found: all of a window would take as much memory as the list

std::uint64_t key_of(Rank rank, LocalIndex slot)
{
  return static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint32_t>(slot);
}

}  // namespace

// ---- pairs ----

PairSearch::Candidate PairSearch::make_candidate(LocalIndex slot, const ElementId& id, SweptElement swept) const
{
  swept.start += elapsed_ * swept.v, swept.until -= elapsed_;
  return {slot, id, swept, geometry::FacePlanes(swept.start)};
}

PairSearch::Candidate PairSearch::held_candidate(const SweptBodies& bodies, LocalIndex slot) const
{
  return make_candidate(slot, bodies.mesh.element_id(slot), swept(bodies, slot));
}

/// Holds until the next call with the same cache.
const PairSearch::Candidate& PairSearch::cached(CandidateCache& cache, const SweptBodies& bodies, LocalIndex slot) const
{
  Candidate& place = cache[at(slot) % cache.size()];
  if (place.slot != slot) place = held_candidate(bodies, slot);
  return place;
}

void PairSearch::clear_caches()
{
  for (CandidateCache* cache : {cache_of_first_.get(), cache_of_second_.get()})
    for (Candidate& place : *cache) place.slot = -1;
}

PairSearch::Candidate PairSearch::candidate_of_other(int k) const
{
  const SurfaceElement& other = others_[static_cast<std::size_t>(k)];
  return make_candidate(~k, other.is.id, other.swept);
}

/// The one with the smaller id comes first, so every rank that holds one of the two computes the same.
void PairSearch::consider(const Candidate& x, const Candidate& y)
{
  const auto& [a, b] = x.id < y.id ? std::tie(x, y) : std::tie(y, x);
  const double until = std::max(0.0, std::min(a.swept.until, b.swept.until)), skin = a.swept.skin + b.swept.skin;
  const geometry::FaceGaps gaps(a.swept.start, a.planes, b.swept.start, b.planes);
  if (gaps.lasting(a.swept.v, b.swept.v, until, skin).none()) found_.push_back({a.slot, b.slot, gaps.widest()});
}

bool PairSearch::share_node(const Tet& a, const Tet& b)
{
  bool share = false;
  for (const LocalIndex n : a)
    for (const LocalIndex m : b) share |= n == m;
  return share;
}

/// y: of another rank.
void PairSearch::consider_other(const SweptBodies& bodies, const Candidate& x, const Candidate& y)
{
  if (!share_node(bodies.mesh, x.slot, others_[static_cast<std::size_t>(~y.slot)].is)) consider(x, y);
}

bool PairSearch::share_node(const mesh::TetMesh& mesh, LocalIndex slot, const SurfaceElementFacts& other) const
{
  const Tet& tet = mesh.tet(slot);
  return std::any_of(tet.begin(), tet.end(), [&](LocalIndex n) {
    return std::find(other.nodes.begin(), other.nodes.end(), mesh.node(n).id) != other.nodes.end();
  });
}

// ---- the window ----

void PairSearch::begin(const SweptBodies& bodies, const ListWindow& window)
{
  elapsed_ = bodies.elapsed;
  builder_.begin(window);
  const auto surface = bodies.surface.elements();
  clear_caches();
  held_.assign(surface, [&](int slot) { return box_around(swept(bodies, slot), elapsed_); });
  others_.clear(), gaps_.clear(), came_.clear(), other_of_.clear(), others_boxes_.clear();
  find_near_ranks(bodies);
  std::vector<Bytes> out = messages();
  send_all(bodies, out);
  receive(out);

  held_.query_pairs([&](int i, int j) {
    if (!share_node(bodies.mesh.tet(i), bodies.mesh.tet(j)))
      consider(cached(*cache_of_first_, bodies, i), cached(*cache_of_second_, bodies, j));
    if (found_.size() >= batch) add_found(bodies);
  });
  const std::vector<Candidate> came = candidates_that_came();
  held_.query_pairs(tree_over(came), [&](int slot, int k) {
    consider_other(bodies, cached(*cache_of_first_, bodies, slot), came[at(k)]);
  });
  add_found(bodies);
  watch_nodes(bodies, surface);
  builder_.ask_owners(comm_, bodies.mesh, near_ranks_);
}

bool PairSearch::covers(const SweptBodies& bodies, std::span<const LocalIndex> slots) const
{
  if (comm_.size() == 1) return true;
  return std::all_of(slots.begin(), slots.end(), [&](LocalIndex slot) {
    if (!bodies.surface.contains(slot)) return true;
    const geometry::Box box = box_around(swept(bodies, slot), bodies.elapsed);
    return std::any_of(boxes_.begin(), boxes_.end(),
                       [&box](const geometry::Box& b) { return b.contains(box.low) && b.contains(box.high); });
  });
}

double PairSearch::update(const SweptBodies& bodies, std::span<const LocalIndex> slots,
                          std::span<const LocalIndex> nodes)
{
  double seconds = 0;
  elapsed_ = bodies.elapsed;
  builder_.begin_change();
  std::vector<LocalIndex> gone, fresh;
  for (const LocalIndex slot : slots) {
    if (held_.contains(slot)) held_.erase(slot), builder_.remove(slot), gone.push_back(slot);
    if (bodies.surface.contains(slot)) fresh.push_back(slot);
  }
  std::vector<Bytes> out(near_.size());
  for (std::size_t k = 0; k < near_.size(); ++k) {
    put(out[k], gone);
    for (const LocalIndex slot : fresh) send(bodies, slot, k, out);
  }
  receive(out);
  {
    const ProcessorStopwatch watch(seconds);
    builder_.end_removal();
    find_pairs_of(bodies, fresh);
    add_found(bodies);
  }
  for (const LocalIndex n : nodes)
    if (bodies.mesh.star(n).empty()) builder_.let_go(bodies.mesh, n);
  watch_nodes(bodies, fresh);
  builder_.ask_owners(comm_, bodies.mesh, near_ranks_);
  return seconds;
}

std::vector<PairSearch::Candidate> PairSearch::candidates_that_came() const
{
  std::vector<Candidate> came;
  came.reserve(came_.size());
  for (const int k : came_) came.push_back(candidate_of_other(k));
  return came;
}

geometry::BoxTree PairSearch::tree_over(std::span<const Candidate> candidates)
{
  std::vector<geometry::Box> boxes;
  boxes.reserve(candidates.size());
  for (const Candidate& c : candidates) boxes.push_back(box_around(c.swept, 0));
  geometry::BoxTree tree;
  tree.build(boxes);
  return tree;
}

/// fresh: elements of this rank that are not in held_ yet.
void PairSearch::find_pairs_of(const SweptBodies& bodies, std::span<const LocalIndex> fresh)
{
  clear_caches();
  std::vector<Candidate> new_here;
  new_here.reserve(fresh.size());
  for (const LocalIndex slot : fresh) new_here.push_back(held_candidate(bodies, slot));
  const geometry::BoxTree fresh_boxes = tree_over(new_here);

  const std::vector<Candidate> came = candidates_that_came();
  held_.query_pairs(tree_over(came), [&](int slot, int k) {
    consider_other(bodies, cached(*cache_of_first_, bodies, slot), came[at(k)]);
  });
  others_boxes_.query_pairs(fresh_boxes, [&](int k, int i) {  // what came among them
    consider_other(bodies, new_here[at(i)], candidate_of_other(k));
  });
  held_.query_pairs(fresh_boxes, [&](int slot, int i) {
    if (!share_node(bodies.mesh.tet(fresh[at(i)]), bodies.mesh.tet(slot)))
      consider(new_here[at(i)], cached(*cache_of_second_, bodies, slot));
  });
  fresh_boxes.query_pairs([&](int i, int j) {
    if (!share_node(bodies.mesh.tet(fresh[at(i)]), bodies.mesh.tet(fresh[at(j)])))
      consider(new_here[at(i)], new_here[at(j)]);
  });
  held_.insert(fresh, [&](int slot) { return box_around(swept(bodies, slot), bodies.elapsed); });
}

void PairSearch::add_found(const SweptBodies& bodies)
{
  builder_.add_pairs(bodies, found_, others_);
  found_.clear();
}

void PairSearch::watch_nodes(const SweptBodies& bodies, std::span<const LocalIndex> slots)
{
  for (const LocalIndex slot : slots)
    for (const LocalIndex n : bodies.mesh.tet(slot))
      if (bodies.mesh.owned(n)) builder_.watch(n, bodies.motions[static_cast<std::size_t>(n)]);
}

// ---- other ranks ----

void PairSearch::find_near_ranks(const SweptBodies& bodies)
{
  boxes_.clear(), near_.clear(), near_ranks_.clear();
  if (comm_.size() == 1) return;
  boxes_ = bodies_cover(bodies);
  near_ = rank_rendezvous(comm_, boxes_);
  for (const RankBoxes& n : near_) near_ranks_.push_back(n.rank);
}

/// Nothing has gone.
std::vector<Bytes> PairSearch::messages() const
{
  std::vector<Bytes> out(near_.size());
  for (Bytes& message : out) put(message, std::vector<LocalIndex>());
  return out;
}

/// Adds an element to the message to a near rank, if this is its primary rank, the other does not hold it, and it meets
/// the other's boxes.
void PairSearch::send(const SweptBodies& bodies, LocalIndex slot, std::size_t to, std::vector<Bytes>& out) const
{
  const mesh::TetMesh& mesh = bodies.mesh;
  const Tet& tet = mesh.tet(slot);
  if (!mesh.primary(slot)) return;
  if (std::any_of(tet.begin(), tet.end(), [&](LocalIndex n) { return mesh.node(n).owner == near_[to].rank; })) return;
  const SurfaceElement element{facts(bodies, slot), swept(bodies, slot)};
  const geometry::Box box = box_around(element.swept, elapsed_);
  const auto& boxes = near_[to].boxes;
  if (std::any_of(boxes.begin(), boxes.end(), [&box](const geometry::Box& b) { return b.meets(box); }))
    pack(out[to], element);
}

void PairSearch::send_all(const SweptBodies& bodies, std::vector<Bytes>& out) const
{
  std::vector<std::uint8_t> met(static_cast<std::size_t>(bodies.mesh.num_slots()), 0);
  for (std::size_t k = 0; k < near_.size(); ++k) {
    std::vector<LocalIndex> slots;
    for (const geometry::Box& box : near_[k].boxes)
      held_.query(box, [&](int slot) {
        if (!std::exchange(met[static_cast<std::size_t>(slot)], std::uint8_t{1})) slots.push_back(slot);
      });
    for (const LocalIndex slot : slots) send(bodies, slot, k, out), met[static_cast<std::size_t>(slot)] = 0;
  }
}

/// Collective on near ranks. What has gone there goes here; what came there comes here.
void PairSearch::receive(const std::vector<Bytes>& out)
{
  for (const int k : came_) others_[static_cast<std::size_t>(k)].is.origin = others_[static_cast<std::size_t>(k)].is.id;
  came_.clear();
  const std::vector<Bytes> in = exchange(comm_, near_ranks_, out);
  for (std::size_t from = 0; from < in.size(); ++from) {
    ByteReader reader(in[from]);
    for (const LocalIndex slot : reader.get_vector<LocalIndex>()) remove_other(key_of(near_ranks_[from], slot));
    while (!reader.done()) {
      if (gaps_.empty()) gaps_.push_back(static_cast<int>(others_.size())), others_.emplace_back();
      const int k = gaps_.back();
      gaps_.pop_back();
      const SurfaceElement& other = others_[static_cast<std::size_t>(k)] = unpack(reader);
      other_of_[key_of(near_ranks_[from], other.is.slot)] = k;
      came_.push_back(k);
    }
  }
  others_boxes_.insert(came_, [&](int k) { return box_around(others_[static_cast<std::size_t>(k)].swept, elapsed_); });
}

void PairSearch::remove_other(std::uint64_t key)
{
  const auto at = other_of_.find(key);
  if (at == other_of_.end()) return;
  builder_.remove(~at->second);
  others_boxes_.erase(at->second);
  gaps_.push_back(at->second);
  other_of_.erase(at);
}

}  // namespace sunder::contact
