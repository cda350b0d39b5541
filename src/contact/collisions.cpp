#include "contact/collisions.hpp"

#include "contact/narrow_phase/node_penetration.hpp"
#include "core/fault_point.hpp"
#include "core/reduction.hpp"
#include "core/sort_unique.hpp"
#include "core/stopwatch.hpp"
#include "core/tags.hpp"
#include "geometry/corners.hpp"
#include "geometry/separating_axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace sunder::contact {
namespace {

std::size_t at(int k)
{
  return static_cast<std::size_t>(k);
}

void add(std::span<Row4> f, LocalIndex n, const Vec3& force)
{
  if (n < 0) return;  // not held here: its owner has this pair too, and adds the force
  Row4& row = f[static_cast<std::size_t>(n)];
  row.x += force.x(), row.y += force.y(), row.z += force.z();
}

}  // namespace

Collisions::Collisions(const Comm& comm, const Response& response, std::vector<double> moduli,
                       ContactCriterion criterion)
  : comm_(comm),
    response_(response),
    criterion_(criterion),
    moduli_(std::move(moduli)),
    search_(comm),
    exchange_(comm, tags::collision)
{
}

SweptBodies Collisions::swept(const Bodies& bodies) const
{
  return {bodies.mesh, surface_, start_p_, start_v_, moduli_, origins_, bodies.size};
}

void Collisions::reset(const Bodies& bodies)
{
  std::vector<LocalIndex> all(static_cast<std::size_t>(bodies.mesh.num_slots()));
  std::iota(all.begin(), all.end(), 0);
  surface_.update(bodies.mesh, bodies.halo, all);
}

bool Collisions::follow_cut(const Bodies& bodies, std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes,
                            Origins origins)
{
  changed_slots_ = surface_.update(bodies.mesh, bodies.halo, slots);
  changed_nodes_.assign(nodes.begin(), nodes.end());
  origins_ = std::move(origins), cut_ = true;
  extend_motions(bodies);
  return list().window.time > 0 && !stale(bodies.p, 0) && search_.covers(swept(bodies), changed_slots_);
}

void Collisions::mend(const Bodies& bodies)
{
  allocation_point("contact: pairs");
  overlapping_.clear(), overlapping_nodes_.clear();
  search_.update(swept(bodies), changed_slots_, changed_nodes_);
  fetch_nodes(bodies);
  inherit(bodies);
  const ProcessorStopwatch watch(spent_.listed);
  active_.mend(list(), p_, v_, std::exchange(since_update_, 0.0));
  origins_.clear(), cut_ = false, ++mendings_;
}

void Collisions::renew(const Bodies& bodies, double interval)
{
  allocation_point("contact: pairs");
  overlapping_.clear(), overlapping_nodes_.clear();
  const ListWindow window = next_window(bodies, interval);
  begin_motions(bodies);
  search_.begin(swept(bodies), window);
  fetch_nodes(bodies);
  inherit(bodies);
  const ProcessorStopwatch watch(spent_.listed);
  since_update_ = 0;
  active_.select(list(), p_, v_, interval);
  origins_.clear(), cut_ = false, ++renewals_;
}

void Collisions::begin_motions(const Bodies& bodies)
{
  start_p_.assign(bodies.p.begin(), bodies.p.end()), start_v_.assign(bodies.v.begin(), bodies.v.end());
  elapsed_ = 0;
}

/// A node that has come to the surface during the window gets the linear motion that arrives, with its velocity, where
/// the node is now. Owners decide which nodes are new, and send their motions to the ghosts.
void Collisions::extend_motions(const Bodies& bodies)
{
  start_p_.resize(bodies.p.size()), start_v_.resize(bodies.p.size());
  std::vector<LocalIndex> come;
  for (const LocalIndex e : changed_slots_) {
    if (!surface_.contains(e)) continue;
    for (const LocalIndex n : bodies.mesh.tet(e))
      if (bodies.mesh.owned(n) && !search_.watched(n)) come.push_back(n);
  }
  sort_unique(come);
  for (const LocalIndex n : come) {
    const auto i = static_cast<std::size_t>(n);
    const Vec3 from = bodies.p[i].xyz() - elapsed_ * bodies.v[i].xyz();
    start_p_[i] = {from.x(), from.y(), from.z(), 0}, start_v_[i] = bodies.v[i];
  }
  bodies.halo.owners_to_ghosts(bodies.mesh, std::span(start_p_), come);
  bodies.halo.owners_to_ghosts(bodies.mesh, std::span(start_v_), come);
}

ListWindow Collisions::next_window(const Bodies& bodies, double interval)
{
  constexpr double reach = 0.25;            // of an edge: way of a node of four times the mean speed in a window
  constexpr double aim = 200, most = 2000;  // intervals a window should last if nothing breaks
  double speeds = 0;
  std::int64_t count = 0;
  for (const LocalIndex e : surface_.elements())
    for (const LocalIndex n : bodies.mesh.tet(e)) speeds += bodies.v[static_cast<std::size_t>(n)].xyz().norm(), ++count;
  Reduction all;
  all.sum(speeds, count);
  all.over(comm_);
  const double mean = speeds / static_cast<double>(std::max<std::int64_t>(1, count));
  if (!cut_ && renewals_ > 0)
    skin_share_ = std::clamp(skin_share_ * (elapsed_ < aim / 2 * interval ? 1.5 : 0.8), 0.005, 0.15);
  const double time = std::clamp(reach * bodies.size / std::max(4 * mean, 1e-300), 20 * interval, most * interval);
  return {time, skin_share_ * bodies.size};
}

/// Collective on ranks that send each other listed nodes. All of them arrive, where they are now.
void Collisions::fetch_nodes(const Bodies& bodies)
{
  PairList& now = list();
  forget_sides();
  p_.resize(now.nodes.size()), v_.resize(now.nodes.size());
  side_of_.resize(now.elements.size(), -1);
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

/// A new pair inherits overlap, initial overlap and axis of the lost pair of the elements from which its own were cut.
/// If neither element is new, that pair is found by walking along both lists: pairs stand in the order of ids.
void Collisions::inherit(const Bodies& bodies)
{
  using Ids = std::pair<ElementId, ElementId>;
  PairList& now = list();
  const auto precedes = [](const LostPair& lost, const Ids& wanted) { return lost.ids < wanted; };
  const auto end = now.lost.begin() + std::ssize(now.lost);
  auto next = now.lost.begin();
  for (const int k : now.new_pairs) {
    ListedPair& pair = now.pairs[at(k)];
    const ElementId of_a = origin(first(pair)), of_b = origin(second(pair));
    const Ids origins = std::minmax(of_a, of_b);
    auto lost = end;
    if (origins != now.ids(pair))
      lost = std::lower_bound(now.lost.begin(), end, origins, precedes);
    else
      lost = next = std::find_if(next, end, [&](const LostPair& l) { return !precedes(l, origins); });
    if (lost == end || lost->ids != origins) continue;
    const ListedPair& old = lost->pair;
    pair.axis = of_a < of_b ? old.axis : Eigen::Vector3f(-old.axis);
    pair.times_overlapping = old.times_overlapping;
    if (old.overlap == 0) continue;
    pair.overlap = old.overlap, pair.initial_overlap = old.initial_overlap;
    if (origins == now.ids(pair) && now.corners(pair) == now.lost_corners[at(lost->corners)]) continue;
    for (const ListedElement* element : {&first(pair), &second(pair)})
      for (const int node : element->nodes)
        if (const LocalIndex n = now.nodes[at(node)]; n >= 0) p_[at(node)] = bodies.p[at(n)];
    pair.overlap = overlap_of(pair).volume;  // of what is left of the two
    pair.initial_overlap *= pair.overlap / old.overlap;
  }
}

std::vector<partition::PairRecord> Collisions::memory() const
{
  std::vector<partition::PairRecord> memory;
  for (const int k : active_.pairs()) {
    const ListedPair& pair = list().pairs[at(k)];
    if (pair.overlap == 0) continue;
    const ListedElement &a = first(pair), &b = second(pair);
    if (a.slot >= 0) memory.push_back({a.id, b.id, pair.overlap, pair.initial_overlap});
    if (b.slot >= 0) memory.push_back({b.id, a.id, pair.overlap, pair.initial_overlap});
  }
  return memory;
}

void Collisions::restore(std::span<const partition::PairRecord> memory)
{
  std::map<std::pair<ElementId, ElementId>, const partition::PairRecord*> known;
  for (const auto& record : memory) known[std::minmax(record.element, record.other)] = &record;
  for (const int k : active_.pairs()) {
    ListedPair& pair = list().pairs[at(k)];
    const auto at = known.find({first(pair).id, second(pair).id});
    if (at != known.end()) pair.overlap = at->second->overlap, pair.initial_overlap = at->second->initial_overlap;
  }
}

/// (list) of each pair
std::vector<double> Collisions::overlap_updates() const
{
  constexpr double merely_active = 0.02;  // of the cost of an overlapping pair: its remembered axis is tried
  std::vector<double> updates(list().pairs.size());
  for (std::size_t k = 0; k < updates.size(); ++k) updates[k] = list().pairs[k].times_overlapping;
  for (const int k : active_.pairs()) updates[static_cast<std::size_t>(k)] += merely_active * updates_;
  return updates;
}

Collisions::PairWork Collisions::work() const
{
  const std::vector<double> updates = overlap_updates();
  return {spent_.listed, static_cast<double>(num_listed()), spent_.touching,
          std::accumulate(updates.begin(), updates.end(), 0.0)};
}

void Collisions::add_costs(const PairWork& all, std::span<double> costs) const
{
  const std::vector<double> updates = overlap_updates();
  const double per_listed = all.listed_seconds / std::max(1.0, all.listed),
               per_update = all.touching_seconds / std::max(1.0, all.touching);
  for (std::size_t k = 0; k < updates.size(); ++k) {
    const ListedPair& pair = list().pairs[k];
    if (pair.a < 0) continue;
    for (const ListedElement* element : {&first(pair), &second(pair)})
      if (element->slot >= 0)
        costs[static_cast<std::size_t>(element->slot)] += (per_listed + per_update * updates[k]) / 2;
  }
}

std::size_t Collisions::num_listed() const noexcept
{
  return static_cast<std::size_t>(
      std::ranges::count_if(list().pairs, [](const ListedPair& pair) { return pair.a >= 0; }));
}

void Collisions::reset_costs()
{
  spent_ = {}, updates_ = 0;
  for (ListedPair& pair : list().pairs) pair.times_overlapping = 0;
}

bool Collisions::stale(std::span<const Row4> p, double dt) const
{
  const double elapsed = elapsed_ + dt;
  if (elapsed > list().window.time) return true;
  constexpr double share = 0.99;  // the rest is for round-off
  const double most = share * share * list().window.skin * list().window.skin;
  return std::any_of(list().watched.begin(), list().watched.end(), [&](const WatchedNode& w) {
    const Vec3 off = p[static_cast<std::size_t>(w.node)].xyz() - w.p - elapsed * w.v;
    return !(off.squaredNorm() < most);
  });
}

void Collisions::start_exchange(std::span<const Row4> p, std::span<const Row4> v)
{
  exchange_.start(list().neighbours, p, v);
}

void Collisions::finish_exchange(double dt)
{
  exchange_.finish(list().neighbours, p_, v_);
  elapsed_ += dt, since_update_ += dt;
}

void Collisions::gather(std::span<const Row4> p, std::span<const Row4> v)
{
  for (std::size_t k = 0; k < list().nodes.size(); ++k)
    if (const LocalIndex n = list().nodes[k]; n >= 0) p_[k] = p[at(n)], v_[k] = v[at(n)];
}

void Collisions::gather_overlapping(std::span<const Row4> p, std::span<const Row4> v)
{
  for (const int k : overlapping_nodes_) {
    const LocalIndex n = list().nodes[at(k)];
    p_[at(k)] = p[at(n)], v_[at(k)] = v[at(n)];
  }
}

void Collisions::forget_sides()
{
  for (const int element : with_side_) side_of_[at(element)] = -1;
  with_side_.clear(), sides_.clear();
}

/// Its position in sides_.
std::size_t Collisions::side(int element)
{
  int& position = side_of_[at(element)];
  if (position >= 0) return at(position);
  const ListedElement& e = list().elements[at(element)];
  position = static_cast<int>(sides_.size());
  sides_.emplace_back(geometry::corners_of(e.nodes, p_), e.free);
  with_side_.push_back(element);
  return at(position);
}

ElementOverlap Collisions::overlap_of(const ListedPair& pair)
{
  const std::size_t of_a = side(pair.a), of_b = side(pair.b);
  const Side &a = sides_[of_a], &b = sides_[of_b];
  return criterion_ == ContactCriterion::nodes ? overlap_by_nodes(a, b) : overlap_of_elements(a, b);
}

/// Tries the remembered axis first: most pairs that are apart stay apart along the same axis. The gap must be far wider
/// than round-off, so overlap_of() would find no overlap either. It therefore changes no bit which rank remembers an
/// axis.
ElementOverlap Collisions::measure_overlap(ListedPair& pair)
{
  const Mat34 a = geometry::corners_of(first(pair).nodes, p_), b = geometry::corners_of(second(pair).nodes, p_);
  const double least_gap = 1e-6 * list().window.skin;
  if (geometry::gap_along(pair.axis.cast<double>(), a, b) > least_gap) return {};
  const ElementOverlap overlap = overlap_of(pair);
  if (overlap.volume == 0 && !pair.coincident) {
    pair.axis = geometry::separating_axis(a, b, 2 * least_gap).cast<float>();
    pair.coincident = pair.axis.isZero();
  }
  return overlap;
}

double Collisions::stiffness(const ListedElement& a, const ListedElement& b) const
{
  return response_.stiffness > 0 ? response_.stiffness : 1 / (a.compliance + b.compliance);
}

void Collisions::find_overlaps(std::span<const Row4> p, std::span<const Row4> v, double interval)
{
  overlapping_.clear(), overlapping_nodes_.clear();
  gather(p, v);
  {
    const ProcessorStopwatch watch(spent_.listed);
    active_.update(list(), p_, v_, std::exchange(since_update_, 0.0), interval);
  }
  const ProcessorStopwatch watch(spent_.touching);
  forget_sides();
  for (const int k : active_.pairs()) {
    ListedPair& pair = list().pairs[at(k)];
    const ElementOverlap overlap = measure_overlap(pair);
    if (criterion_ == ContactCriterion::overlap)
      pair.initial_overlap = pair.overlap == 0 ? overlap.volume : std::min(pair.initial_overlap, overlap.volume);
    pair.overlap = overlap.volume;
    if (pair.overlap == 0) continue;
    overlapping_.push_back({k, overlap});
    pair.times_overlapping += pair.times_overlapping < std::numeric_limits<std::uint16_t>::max();
  }
  for (const OverlappingPair& t : overlapping_)
    for (const ListedElement* element : {&first(list().pairs[at(t.pair)]), &second(list().pairs[at(t.pair)])})
      for (const int k : element->nodes)
        if (list().nodes[at(k)] >= 0) overlapping_nodes_.push_back(k);
  sort_unique(overlapping_nodes_);
  ++updates_;
}

double Collisions::add_forces(std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f)
{
  if (overlapping_.empty()) return 0;
  const ProcessorStopwatch watch(spent_.touching);
  gather_overlapping(p, v);
  double power = 0;
  for (OverlappingPair& t : overlapping_) {
    const ListedPair& pair = list().pairs[at(t.pair)];
    const ListedElement &a = first(pair), &b = second(pair);
    const Mat34 v_a = geometry::corners_of(a.nodes, v_), v_b = geometry::corners_of(b.nodes, v_);
    t.force = pair_force(t.overlap, response_, stiffness(a, b), pair.initial_overlap, geometry::corners_of(a.nodes, p_),
                         v_a, geometry::corners_of(b.nodes, p_), v_b);
    if (a.primary) power += t.force.dot(v_a * t.overlap.weights_a - v_b * t.overlap.weights_b);
    for (std::size_t c = 0; c < 4; ++c) {
      const auto k = static_cast<int>(c);
      add(f, list().nodes[at(a.nodes[c])], t.overlap.weights_a[k] * t.force);
      add(f, list().nodes[at(b.nodes[c])], -t.overlap.weights_b[k] * t.force);
    }
  }
  return power;
}

double Collisions::power(std::span<const Row4> v)
{
  for (const int k : overlapping_nodes_) v_[at(k)] = v[at(list().nodes[at(k)])];
  double sum = 0;
  for (const OverlappingPair& t : overlapping_) {
    const ListedPair& pair = list().pairs[at(t.pair)];
    const ListedElement &a = first(pair), &b = second(pair);
    if (a.primary)
      sum += t.force.dot(geometry::corners_of(a.nodes, v_) * t.overlap.weights_a -
                         geometry::corners_of(b.nodes, v_) * t.overlap.weights_b);
  }
  return sum;
}

}  // namespace sunder::contact
