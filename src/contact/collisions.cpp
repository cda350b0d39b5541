#include "contact/collisions.hpp"

#include "core/fault_point.hpp"
#include "core/reduction.hpp"
#include "core/sort_unique.hpp"
#include "core/tags.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sunder::contact {
namespace {

constexpr double least_skin = 0.01, most_skin = 0.06;  // of an edge
constexpr double all_of_skin = 0.99;                   // the rest is for round-off

/// Has it gone this share of its skin off its motion?
bool has_strayed(const WatchedNode& w, std::span<const Row4> p, double elapsed, double share)
{
  const double most = share * w.motion.start.w;
  return !((p[static_cast<std::size_t>(w.node)].xyz() - w.motion.at(elapsed)).squaredNorm() < most * most);
}

}  // namespace

Collisions::Collisions(const Comm& comm, const Response& response, std::vector<double> moduli,
                       ContactCriterion criterion, Links links)
  : comm_(comm),
    response_(response),
    criterion_(criterion),
    links_(links == Links::in_w),
    moduli_(std::move(moduli)),
    search_(comm),
    exchange_(comm, tags::collision, links_),
    levels_(comm),
    overlapping_(response)
{
}

SweptBodies Collisions::swept(const Bodies& bodies) const
{
  return {bodies.mesh, surface_, motions_, moduli_, origins_, bodies.size, elapsed_};
}

void Collisions::reset(const Bodies& bodies)
{
  std::vector<LocalIndex> all(static_cast<std::size_t>(bodies.mesh.num_slots()));
  std::iota(all.begin(), all.end(), 0);
  surface_.update(bodies.mesh, bodies.halo, all);
  updates_.clear(), searches_.clear();
}

bool Collisions::follow_cut(const Bodies& bodies, std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes,
                            Origins origins)
{
  changed_slots_ = surface_.update(bodies.mesh, bodies.halo, slots);
  changed_nodes_.assign(nodes.begin(), nodes.end());
  origins_ = std::move(origins);
  give_motions(bodies);
  return mendable(bodies);
}

void Collisions::keep_up(const Bodies& bodies, ListState worst, double interval)
{
  if (worst == ListState::holds) return;
  if (worst == ListState::strayed) {
    give_motions(bodies);
    if (comm_.max(std::int64_t{!mendable(bodies)}) == 0) return mend(bodies);
  }
  renew(bodies, interval);
}

bool Collisions::mendable(const Bodies& bodies) const
{
  return list().window.time > 0 && elapsed_ <= list().window.time && few(strays_) &&
         search_.covers(swept(bodies), changed_slots_);
}

void Collisions::mend(const Bodies& bodies)
{
  allocation_point("contact: pairs");
  overlapping_.clear();
  spent_.searching += search_.update(swept(bodies), changed_slots_, changed_nodes_);
  for (const LocalIndex slot : changed_slots_)
    if (surface_.contains(slot)) ++searches_.all, searches_.add(slot);
  fetch_nodes(bodies);
  inherit(bodies);
  changed_slots_.clear(), changed_nodes_.clear(), origins_.clear(), ++mendings_;
}

void Collisions::renew(const Bodies& bodies, double interval)
{
  allocation_point("contact: pairs");
  overlapping_.clear();
  const ListWindow window = next_window(bodies, interval);
  begin_motions(bodies, window, interval);
  search_.begin(swept(bodies), window);
  fetch_nodes(bodies);
  inherit(bodies);
  list().forget_change();
  changed_slots_.clear(), changed_nodes_.clear(), origins_.clear(), ++renewals_;
}

/// Owned nodes that have gone this share of their skins, or whose motions end, when `elapsed` of the window is over.
std::vector<LocalIndex> Collisions::strays(std::span<const Row4> p, double elapsed, double share) const
{
  std::vector<LocalIndex> strays;
  for (const WatchedNode& w : list().watched)
    if (elapsed > w.motion.v.w || has_strayed(w, p, elapsed, share)) strays.push_back(w.node);
  return strays;
}

/// Of all nodes.
void Collisions::begin_motions(const Bodies& bodies, const ListWindow& window, double interval)
{
  constexpr double kept = 0.8;
  for (const WatchedNode& w : list().watched)
    if (has_strayed(w, bodies.p, elapsed_, all_of_skin)) motions_[static_cast<std::size_t>(w.node)].start.w *= 2 / kept;
  elapsed_ = 0, interval_ = interval;
  motions_.resize(bodies.p.size());
  std::vector<LocalIndex> wider;
  for (std::size_t n = 0; n < motions_.size(); ++n) {
    const double skin = std::clamp(kept * motions_[n].start.w, window.least_skin, most_skin * bodies.size);
    motions_[n] = motion(bodies, window, n, skin);
    if (skin > window.least_skin) wider.push_back(static_cast<LocalIndex>(n));
  }
  bodies.halo.owners_to_ghosts(bodies.mesh, std::span(motions_), wider);
}

/// The motion that passes where the node is now, with its velocity. What is fast gets another one before long.
NodeMotion Collisions::motion(const Bodies& bodies, const ListWindow& window, std::size_t n, double skin) const
{
  constexpr double way = 0.2;  // of an edge
  const Vec3 v = bodies.v[n].xyz(), start = bodies.p[n].xyz() - elapsed_ * v;
  const double time = std::max(way * bodies.size / std::max(v.norm(), 1e-300), 20 * interval_);
  return {{start.x(), start.y(), start.z(), skin}, {v.x(), v.y(), v.z(), std::min(elapsed_ + time, window.time)}};
}

/// A node that has come to the surface during the window, or has left its skin, gets the linear motion that passes
/// where the node is now, with its velocity. Owners decide which nodes these are, and send their motions to the ghosts.
/// The elements around them are changed ones.
void Collisions::give_motions(const Bodies& bodies)
{
  motions_.resize(bodies.p.size());
  constexpr double early = 0.6;  // of the skin: some will have left it before long
  constexpr double wider = 4;    // what has left its skin is accelerated
  std::vector<LocalIndex> nodes = strays(bodies.p, elapsed_, all_of_skin);
  if (!nodes.empty()) nodes = strays(bodies.p, elapsed_, early);
  strays_ = nodes.size();
  for (const LocalIndex e : changed_slots_) {
    if (!surface_.contains(e)) continue;
    for (const LocalIndex n : bodies.mesh.tet(e))
      if (bodies.mesh.owned(n) && !search_.watched(n)) nodes.push_back(n);
  }
  sort_unique(nodes);
  for (const LocalIndex n : nodes) {
    const auto i = static_cast<std::size_t>(n);
    const bool ended = elapsed_ > motions_[i].v.w;
    const double skin = std::clamp((ended ? 1 : wider) * motions_[i].start.w, wider * list().window.least_skin,
                                   most_skin * bodies.size);
    motions_[i] = motion(bodies, list().window, i, skin);
  }
  bodies.halo.owners_to_ghosts(bodies.mesh, std::span(motions_), nodes, [&](LocalIndex n) { nodes.push_back(n); });
  for (const LocalIndex n : nodes)
    for (const LocalIndex e : bodies.mesh.star(n))
      if (surface_.contains(e)) changed_slots_.push_back(e);
  sort_unique(changed_slots_);
}

ListWindow Collisions::next_window(const Bodies& bodies, double interval)
{
  constexpr double reach = 0.25;  // of an edge: way of a node of four times the mean speed in a window
  constexpr double most = 2000;   // intervals
  double speeds = 0;
  std::int64_t count = 0;
  for (const LocalIndex e : surface_.elements())
    for (const LocalIndex n : bodies.mesh.tet(e)) speeds += bodies.v[static_cast<std::size_t>(n)].xyz().norm(), ++count;
  Reduction all;
  all.sum(speeds, count);
  all.over(comm_);
  const double mean = speeds / static_cast<double>(std::max<std::int64_t>(1, count));
  const double time = std::clamp(reach * bodies.size / std::max(4 * mean, 1e-300), 20 * interval, most * interval);
  return {time, least_skin * bodies.size};
}

/// Collective on ranks that send each other listed nodes. All of them arrive, where they are now.
void Collisions::fetch_nodes(const Bodies& bodies)
{
  PairList& now = list();
  list_changed_ = true;
  forget_sides();
  p_.resize(now.nodes.size()), v_.resize(now.nodes.size());
  if (now.neighbours_changed) exchange_.set(now.neighbours);
  start_exchange(bodies.p, bodies.v);
  finish_exchange(0);
  for (const int k : now.new_nodes)
    if (const LocalIndex n = now.nodes[at(k)]; n >= 0) p_[at(k)] = bodies.p[at(n)], v_[at(k)] = bodies.v[at(n)];
}

ElementId Collisions::origin(const ListedElement& element) const
{
  return element.slot >= 0 ? contact::origin(origins_, element.id) : search_.other(element).is.origin;
}

/// Had it, or what it was cut from, a pair that is lost?
bool Collisions::is_heir(int element)
{
  std::int8_t& known = is_heir_[at(element)];
  if (known >= 0) return known != 0;
  asked_.push_back(element);
  const bool is = std::binary_search(of_lost_.begin(), of_lost_.end(), origin(list().elements[at(element)]));
  return known = is, is;
}

/// New pairs inherit from the lost pair of the elements from which their own were cut, or which are theirs.
void Collisions::inherit(const Bodies& bodies)
{
  PairList& now = list();
  if (links_)
    for (ListedPair& pair : std::span(now.pairs).subspan(now.first_new_pair))
      pair.common_corners = common_corners(now, first(pair), second(pair));
  if (now.lost.empty()) return;
  of_lost_.clear();
  for (const LostPair& lost : now.lost) of_lost_.push_back(lost.ids.first), of_lost_.push_back(lost.ids.second);
  sort_unique(of_lost_);
  is_heir_.resize(now.elements.size(), -1);
  now.move_to_touching(now.first_new_pair, [&](const ListedPair& pair, TouchingPair& heir) {
    return is_heir(pair.a) && is_heir(pair.b) && inherit(bodies, pair, heir);
  });
  for (const int element : asked_) is_heir_[at(element)] = -1;
  asked_.clear();
}

/// Overlap and initial overlap, as far as they are within what is left of the two. False if nothing is.
bool Collisions::inherit(const Bodies& bodies, const ListedPair& pair, TouchingPair& heir)
{
  const PairList& now = list();
  const PairIds origins = std::minmax(origin(first(pair)), origin(second(pair)));
  const auto lost = std::lower_bound(now.lost.begin(), now.lost.end(), origins,
                                     [](const LostPair& l, const auto& wanted) { return l.ids < wanted; });
  if (lost == now.lost.end() || lost->ids != origins) return false;
  heir.overlap = lost->overlap, heir.initial_overlap = lost->initial_overlap;
  if (origins == now.ids(pair) && now.corners(pair) == lost->corners) return true;
  for (const ListedElement* element : {&first(pair), &second(pair)})
    for (const int node : element->nodes)
      if (const LocalIndex n = now.nodes[at(node)]; n >= 0) p_[at(node)] = bodies.p[at(n)];
  heir.overlap = overlap_of(pair).volume;
  heir.initial_overlap *= heir.overlap / lost->overlap;
  return heir.overlap != 0;
}

Collisions::ListState Collisions::list_state(std::span<const Row4> p, double dt) const
{
  if (elapsed_ + dt > list().window.time) return ListState::expired;
  const std::size_t off = strays(p, elapsed_ + dt, all_of_skin).size();
  return off == 0 ? ListState::holds : few(off) ? ListState::strayed : ListState::expired;
}

void Collisions::start_exchange(std::span<const Row4> p, std::span<const Row4> v)
{
  exchange_.start(list().neighbours, p, v);
}

void Collisions::finish_exchange(double dt)
{
  exchange_.finish(list().neighbours, p_, v_);
  elapsed_ += dt;
}

}  // namespace sunder::contact
