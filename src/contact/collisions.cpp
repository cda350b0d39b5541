#include "contact/collisions.hpp"

#include "contact/broad_phase/find_pairs.hpp"
#include "contact/narrow_phase/node_penetration.hpp"
#include "core/fault_point.hpp"
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
    exchange_(comm, tags::collision)
{
}

void Collisions::update_surface(const mesh::TetMesh& mesh, const partition::Halo& halo,
                                std::span<const LocalIndex> changed, Origins origins)
{
  surface_.update(mesh, halo, changed);
  unchanged_.resize(static_cast<std::size_t>(mesh.num_slots()), 0);
  for (const LocalIndex e : changed) unchanged_[static_cast<std::size_t>(e)] = 0;
  surface_changed_ = true;
  origins_ = std::move(origins);
}

void Collisions::refresh(const mesh::TetMesh& mesh, partition::Halo& halo, std::span<const Row4> p,
                         std::span<const Row4> v, double size, double interval)
{
  allocation_point("contact: pairs");
  const bool holds = surface_changed_ && list_.window.time > 0 && comm_.sum(std::int64_t{stale(p, 0)}) == 0;
  const ListWindow window = holds ? list_.window : next_window(mesh, v, size, interval);
  if (holds)
    extend_motions(halo, p, v);
  else
    begin_motions(p, v);
  const SweptSurface::Bodies bodies{mesh, surface_, start_p_, start_v_, moduli_, origins_};
  if (holds)
    swept_.update(bodies, unchanged_);
  else
    swept_.begin(bodies, window);
  overlapping_.clear();
  const PairList before = std::move(list_);
  list_ = find_pairs(comm_, bodies, swept_, window, holds ? &before : nullptr);
  p_.resize(list_.nodes.size()), v_.resize(list_.nodes.size());
  exchange_.set(list_.neighbours);
  start_exchange(p, v);
  finish_exchange(0);
  gather(p, v);
  inherit(before);
  {
    const ProcessorStopwatch watch(spent_.listed);
    const double since = std::exchange(since_update_, 0.0);
    if (holds)
      active_.continue_from(before, list_, p_, v_, since, interval);
    else
      active_.select(list_, p_, v_, interval);
  }
  unchanged_.assign(static_cast<std::size_t>(mesh.num_slots()), 0);
  for (const LocalIndex e : surface_.elements()) unchanged_[static_cast<std::size_t>(e)] = 1;
  origins_.clear(), surface_changed_ = false;
  ++refreshes_, continuations_ += holds;
}

void Collisions::begin_motions(std::span<const Row4> p, std::span<const Row4> v)
{
  start_p_.assign(p.begin(), p.end()), start_v_.assign(v.begin(), v.end());
  elapsed_ = 0;
}

/// A node that has come to the surface during the window gets the linear motion that arrives, with its velocity, where
/// the node is now. Owners decide which nodes are new, and send their motions to the ghosts.
void Collisions::extend_motions(partition::Halo& halo, std::span<const Row4> p, std::span<const Row4> v)
{
  std::vector<std::uint8_t> has_one(p.size(), 0);
  for (const WatchedNode& w : list_.watched) has_one[static_cast<std::size_t>(w.node)] = 1;
  start_p_.resize(p.size()), start_v_.resize(p.size());
  for (std::size_t n = 0; n < p.size(); ++n) {
    if (has_one[n]) continue;
    const Vec3 from = p[n].xyz() - elapsed_ * v[n].xyz();
    start_p_[n] = {from.x(), from.y(), from.z(), 0}, start_v_[n] = v[n];
  }
  halo.owners_to_ghosts(start_p_, start_v_);
}

ListWindow Collisions::next_window(const mesh::TetMesh& mesh, std::span<const Row4> v, double size, double interval)
{
  constexpr double reach = 0.25;            // of an edge: way of a node of four times the mean speed in a window
  constexpr double aim = 200, most = 2000;  // intervals a window should last if nothing breaks
  double speeds = 0;
  std::int64_t count = 0;
  for (const LocalIndex e : surface_.elements())
    for (const LocalIndex n : mesh.tet(e)) speeds += v[static_cast<std::size_t>(n)].xyz().norm(), ++count;
  const double mean = comm_.sum(speeds) / static_cast<double>(std::max<std::int64_t>(1, comm_.sum(count)));
  if (!surface_changed_)
    skin_share_ = std::clamp(skin_share_ * (elapsed_ < aim / 2 * interval ? 1.5 : 0.8), 0.005, 0.15);
  const double time = std::clamp(reach * size / std::max(4 * mean, 1e-300), 20 * interval, most * interval);
  return {time, skin_share_ * size};
}

/// A new pair inherits overlap, initial overlap and axis of the earlier pair of the elements from which its own were
/// cut. If neither element is new, that pair is found by walking along both lists: pairs stand in the order of ids.
void Collisions::inherit(const PairList& before)
{
  using Ids = std::pair<ElementId, ElementId>;
  const auto element = [&before](int k) -> const ListedElement& {
    return before.elements[static_cast<std::size_t>(k)];
  };
  const auto ids = [&](const ListedPair& pair) -> Ids { return {element(pair.a).id, element(pair.b).id}; };
  const auto precedes = [&](const ListedPair& pair, const Ids& wanted) { return ids(pair) < wanted; };
  const auto same = [](const ListedElement& now, const ListedElement& then) {
    return now.id == then.id && now.corners == then.corners;
  };
  auto next = before.pairs.begin();
  const auto end = before.pairs.end();
  forget_sides();
  for (const int k : list_.new_pairs) {
    ListedPair& pair = list_.pairs[static_cast<std::size_t>(k)];
    const ListedElement &a = first(pair), &b = second(pair);
    const Ids origins = std::minmax(a.origin, b.origin);
    auto old = end;
    if (a.origin != a.id || b.origin != b.id)
      old = std::lower_bound(before.pairs.begin(), end, origins, precedes);
    else
      old = next = std::find_if(next, end, [&](const ListedPair& p) { return !precedes(p, origins); });
    if (old == end || ids(*old) != origins) continue;
    const bool in_order = a.origin < b.origin;
    pair.axis = in_order ? old->axis : -old->axis;
    pair.times_overlapping = old->times_overlapping;
    if (old->overlap == 0) continue;
    pair.overlap = old->overlap, pair.initial_overlap = old->initial_overlap;
    if (same(a, element(in_order ? old->a : old->b)) && same(b, element(in_order ? old->b : old->a))) continue;
    pair.overlap = overlap_of(pair).volume;  // of what is left of the two
    pair.initial_overlap *= pair.overlap / old->overlap;
  }
}

std::vector<partition::PairRecord> Collisions::memory() const
{
  std::vector<partition::PairRecord> memory;
  for (const int k : active_.pairs()) {
    const ListedPair& pair = list_.pairs[static_cast<std::size_t>(k)];
    if (pair.overlap == 0) continue;
    const ListedElement &a = first(pair), &b = second(pair);
    if (a.primary) memory.push_back({a.id, b.id, pair.overlap, pair.initial_overlap});
    if (b.primary) memory.push_back({b.id, a.id, pair.overlap, pair.initial_overlap});
  }
  return memory;
}

void Collisions::restore(std::span<const partition::PairRecord> memory)
{
  std::map<std::pair<ElementId, ElementId>, const partition::PairRecord*> known;
  for (const auto& record : memory) known[std::minmax(record.element, record.other)] = &record;
  for (const int k : active_.pairs()) {
    ListedPair& pair = list_.pairs[static_cast<std::size_t>(k)];
    const auto at = known.find({first(pair).id, second(pair).id});
    if (at != known.end()) pair.overlap = at->second->overlap, pair.initial_overlap = at->second->initial_overlap;
  }
}

/// (list) of each pair
std::vector<double> Collisions::overlap_updates() const
{
  constexpr double merely_active = 0.02;  // of the cost of an overlapping pair: its remembered axis is tried
  std::vector<double> updates(list_.pairs.size());
  for (std::size_t k = 0; k < updates.size(); ++k) updates[k] = list_.pairs[k].times_overlapping;
  for (const int k : active_.pairs()) updates[static_cast<std::size_t>(k)] += merely_active * updates_;
  return updates;
}

Collisions::PairWork Collisions::work() const
{
  const std::vector<double> updates = overlap_updates();
  return {spent_.listed, static_cast<double>(list_.pairs.size()), spent_.touching,
          std::accumulate(updates.begin(), updates.end(), 0.0)};
}

void Collisions::add_costs(const PairWork& all, std::span<double> costs) const
{
  const std::vector<double> updates = overlap_updates();
  const double per_listed = all.listed_seconds / std::max(1.0, all.listed),
               per_update = all.touching_seconds / std::max(1.0, all.touching);
  for (std::size_t k = 0; k < list_.pairs.size(); ++k)
    for (const ListedElement* element : {&first(list_.pairs[k]), &second(list_.pairs[k])})
      if (element->slot >= 0)
        costs[static_cast<std::size_t>(element->slot)] += (per_listed + per_update * updates[k]) / 2;
}

void Collisions::reset_costs()
{
  spent_ = {}, updates_ = 0;
  for (ListedPair& pair : list_.pairs) pair.times_overlapping = 0;
}

bool Collisions::stale(std::span<const Row4> p, double dt) const
{
  const double elapsed = elapsed_ + dt;
  if (elapsed > list_.window.time) return true;
  constexpr double share = 0.99;  // the rest is for round-off
  const double most = share * share * list_.window.skin * list_.window.skin;
  return std::any_of(list_.watched.begin(), list_.watched.end(), [&](const WatchedNode& w) {
    const Vec3 off = p[static_cast<std::size_t>(w.node)].xyz() - w.p - elapsed * w.v;
    return !(off.squaredNorm() < most);
  });
}

void Collisions::start_exchange(std::span<const Row4> p, std::span<const Row4> v)
{
  exchange_.start(list_.neighbours, p, v);
}

void Collisions::finish_exchange(double dt)
{
  exchange_.finish(list_.neighbours, p_, v_);
  elapsed_ += dt, since_update_ += dt;
}

void Collisions::gather(std::span<const Row4> p, std::span<const Row4> v)
{
  for (std::size_t k = 0; k < list_.nodes.size(); ++k)
    if (const LocalIndex n = list_.nodes[k]; n >= 0)
      p_[k] = p[static_cast<std::size_t>(n)], v_[k] = v[static_cast<std::size_t>(n)];
}

void Collisions::forget_sides()
{
  sides_.resize(list_.elements.size());
  sides_set_.assign(list_.elements.size(), 0);
}

const Side& Collisions::side(int element)
{
  const auto k = static_cast<std::size_t>(element);
  if (!std::exchange(sides_set_[k], std::uint8_t{1}))
    sides_[k] = Side(geometry::corners_of(list_.elements[k].nodes, p_), list_.elements[k].free);
  return sides_[k];
}

ElementOverlap Collisions::overlap_of(const ListedPair& pair)
{
  const Side &a = side(pair.a), &b = side(pair.b);
  return criterion_ == ContactCriterion::nodes ? overlap_by_nodes(a, b) : overlap_of_elements(a, b);
}

/// Tries the remembered axis first: most pairs that are apart stay apart along the same axis. The gap must be far wider
/// than round-off, so overlap_of() would find no overlap either. It therefore changes no bit which rank remembers an
/// axis.
ElementOverlap Collisions::measure_overlap(ListedPair& pair)
{
  const Mat34 a = geometry::corners_of(first(pair).nodes, p_), b = geometry::corners_of(second(pair).nodes, p_);
  const double least_gap = 1e-6 * list_.window.skin;
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
  overlapping_.clear();
  gather(p, v);
  {
    const ProcessorStopwatch watch(spent_.listed);
    active_.update(list_, p_, v_, std::exchange(since_update_, 0.0), interval);
  }
  const ProcessorStopwatch watch(spent_.touching);
  forget_sides();
  for (const int k : active_.pairs()) {
    ListedPair& pair = list_.pairs[static_cast<std::size_t>(k)];
    const ElementOverlap overlap = measure_overlap(pair);
    if (criterion_ == ContactCriterion::overlap)
      pair.initial_overlap = pair.overlap == 0 ? overlap.volume : std::min(pair.initial_overlap, overlap.volume);
    pair.overlap = overlap.volume;
    if (pair.overlap == 0) continue;
    overlapping_.push_back({k, overlap});
    pair.times_overlapping += pair.times_overlapping < std::numeric_limits<std::uint16_t>::max();
  }
  ++updates_;
}

double Collisions::add_forces(std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f)
{
  if (overlapping_.empty()) return 0;
  const ProcessorStopwatch watch(spent_.touching);
  gather(p, v);
  double power = 0;
  for (OverlappingPair& t : overlapping_) {
    const ListedPair& pair = list_.pairs[static_cast<std::size_t>(t.pair)];
    const ListedElement &a = first(pair), &b = second(pair);
    const Mat34 v_a = geometry::corners_of(a.nodes, v_), v_b = geometry::corners_of(b.nodes, v_);
    t.force = pair_force(t.overlap, response_, stiffness(a, b), pair.initial_overlap, geometry::corners_of(a.nodes, p_),
                         v_a, geometry::corners_of(b.nodes, p_), v_b);
    if (a.primary) power += t.force.dot(v_a * t.overlap.weights_a - v_b * t.overlap.weights_b);
    for (std::size_t c = 0; c < 4; ++c) {
      const auto k = static_cast<int>(c);
      add(f, list_.nodes[static_cast<std::size_t>(a.nodes[c])], t.overlap.weights_a[k] * t.force);
      add(f, list_.nodes[static_cast<std::size_t>(b.nodes[c])], -t.overlap.weights_b[k] * t.force);
    }
  }
  return power;
}

double Collisions::power(std::span<const Row4> v)
{
  for (std::size_t k = 0; k < list_.nodes.size(); ++k)
    if (const LocalIndex n = list_.nodes[k]; n >= 0) v_[k] = v[static_cast<std::size_t>(n)];
  double sum = 0;
  for (const OverlappingPair& t : overlapping_) {
    const ListedPair& pair = list_.pairs[static_cast<std::size_t>(t.pair)];
    const ListedElement &a = first(pair), &b = second(pair);
    if (a.primary)
      sum += t.force.dot(geometry::corners_of(a.nodes, v_) * t.overlap.weights_a -
                         geometry::corners_of(b.nodes, v_) * t.overlap.weights_b);
  }
  return sum;
}

}  // namespace sunder::contact
