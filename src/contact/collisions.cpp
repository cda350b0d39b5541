#include "contact/collisions.hpp"

#include "contact/corners.hpp"
#include "contact/node_contact.hpp"
#include "contact/separation.hpp"
#include "core/fault_point.hpp"
#include "core/stopwatch.hpp"
#include "core/tags.hpp"

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
  if (n < 0) return;  // another rank's: it has this pair too
  Row4& row = f[static_cast<std::size_t>(n)];
  row.x += force.x(), row.y += force.y(), row.z += force.z();
}

}  // namespace

Collisions::Collisions(const Comm& comm, const Response& response, std::vector<double> moduli, Criterion criterion)
  : comm_(comm),
    response_(response),
    criterion_(criterion),
    moduli_(std::move(moduli)),
    exchange_(comm, tags::collision)
{
}

void Collisions::mesh_changed(const mesh::TetMesh& mesh, const partition::Halo& halo,
                              std::span<const LocalIndex> changed, Origins origins)
{
  surface_.update(mesh, halo, changed);
  unchanged_.resize(static_cast<std::size_t>(mesh.num_slots()), 0);
  for (const LocalIndex e : changed) unchanged_[static_cast<std::size_t>(e)] = 0;
  mesh_changed_ = true;
  origins_ = std::move(origins);
}

void Collisions::refresh(const mesh::TetMesh& mesh, partition::Halo& halo, std::span<const Row4> p,
                         std::span<const Row4> v, double size, double interval)
{
  allocation_point("contact: pairs");
  const bool holds = mesh_changed_ && near_.window.time > 0 && comm_.sum(std::int64_t{stale(p, 0)}) == 0;
  const Window window = holds ? near_.window : next_window(mesh, v, size, interval);
  if (holds)
    extend_courses(halo, p, v);
  else
    begin_courses(p, v);
  const std::vector<Box> boxes = swept_boxes(mesh, surface_, course_p_, course_v_, window);
  if (mesh_changed_)
    tree_.build(boxes);
  else
    tree_.refit(boxes);
  touching_.clear();
  const Near before = std::move(near_);
  const Earlier earlier{before, unchanged_};
  near_ = find_near(comm_, mesh, surface_, tree_, course_p_, course_v_, window, moduli_, origins_,
                    holds ? &earlier : nullptr);
  p_.resize(near_.nodes.size()), v_.resize(near_.nodes.size());
  exchange_.set(near_.neighbours);
  start_exchange(p, v);
  finish_exchange(0);
  gather(p, v);
  inherit(before);
  {
    const WorkWatch watch(work_.listed);
    const double since = std::exchange(since_update_, 0.0);
    if (holds)
      active_.continue_from(before, near_, p_, v_, since, interval);
    else
      active_.select(near_, p_, v_, interval);
  }
  unchanged_.assign(static_cast<std::size_t>(mesh.num_slots()), 0);
  for (const LocalIndex e : surface_.elements()) unchanged_[static_cast<std::size_t>(e)] = 1;
  origins_.clear(), mesh_changed_ = false;
  ++refreshes_, continuations_ += holds;
}

void Collisions::begin_courses(std::span<const Row4> p, std::span<const Row4> v)
{
  course_p_.assign(p.begin(), p.end()), course_v_.assign(v.begin(), v.end());
  elapsed_ = 0;
}

/// A node new to the skin is where it is now if it set out so. Its owner knows whether it is.
void Collisions::extend_courses(partition::Halo& halo, std::span<const Row4> p, std::span<const Row4> v)
{
  std::vector<std::uint8_t> has_one(p.size(), 0);
  for (const WatchedNode& w : near_.watched) has_one[static_cast<std::size_t>(w.node)] = 1;
  course_p_.resize(p.size()), course_v_.resize(p.size());
  for (std::size_t n = 0; n < p.size(); ++n) {
    if (has_one[n]) continue;
    const Vec3 from = p[n].xyz() - elapsed_ * v[n].xyz();
    course_p_[n] = {from.x(), from.y(), from.z(), 0}, course_v_[n] = v[n];
  }
  halo.owners_to_ghosts(course_p_, course_v_);
}

Window Collisions::next_window(const mesh::TetMesh& mesh, std::span<const Row4> v, double size, double interval)
{
  constexpr double reach = 0.25;            // of an edge: how far a window takes a node of four times the mean speed
  constexpr double aim = 200, most = 2000;  // intervals a window should last if nothing breaks
  double speeds = 0;
  std::int64_t count = 0;
  for (const LocalIndex e : surface_.elements())
    for (const LocalIndex n : mesh.tet(e)) speeds += v[static_cast<std::size_t>(n)].xyz().norm(), ++count;
  const double mean = comm_.sum(speeds) / static_cast<double>(std::max<std::int64_t>(1, comm_.sum(count)));
  if (!mesh_changed_)
    slack_share_ = std::clamp(slack_share_ * (elapsed_ < aim / 2 * interval ? 1.5 : 0.8), 0.005, 0.15);
  const double time = std::clamp(reach * size / std::max(4 * mean, 1e-300), 20 * interval, most * interval);
  return {time, slack_share_ * size};
}

/// New pairs remember what those did of which they are parts. Pairs stand in the order of their ids, so those of two
/// elements that were there before are met walking along.
void Collisions::inherit(const Near& before)
{
  using Ids = std::pair<ElementId, ElementId>;
  const auto element = [&before](int k) -> const NearElement& { return before.elements[static_cast<std::size_t>(k)]; };
  const auto ids = [&](const NearPair& pair) -> Ids { return {element(pair.a).id, element(pair.b).id}; };
  const auto precedes = [&](const NearPair& pair, const Ids& wanted) { return ids(pair) < wanted; };
  const auto same = [](const NearElement& now, const NearElement& then) {
    return now.id == then.id && now.corners == then.corners;
  };
  auto next = before.pairs.begin();
  const auto end = before.pairs.end();
  forget_sides();
  for (const int k : near_.new_pairs) {
    NearPair& pair = near_.pairs[static_cast<std::size_t>(k)];
    const NearElement &a = first(pair), &b = second(pair);
    const Ids origins = std::minmax(a.origin, b.origin);
    auto old = end;
    if (a.origin != a.id || b.origin != b.id)
      old = std::lower_bound(before.pairs.begin(), end, origins, precedes);
    else
      old = next = std::find_if(next, end, [&](const NearPair& p) { return !precedes(p, origins); });
    if (old == end || ids(*old) != origins) continue;
    const bool in_order = a.origin < b.origin;
    pair.axis = in_order ? old->axis : -old->axis;
    pair.times_touching = old->times_touching;
    if (old->overlap == 0) continue;
    pair.overlap = old->overlap, pair.forgiven = old->forgiven;
    if (same(a, element(in_order ? old->a : old->b)) && same(b, element(in_order ? old->b : old->a))) continue;
    pair.overlap = touch_of(pair).volume;  // of what is left of the two
    pair.forgiven *= pair.overlap / old->overlap;
  }
}

std::vector<partition::PairRecord> Collisions::memory() const
{
  std::vector<partition::PairRecord> memory;
  for (const int k : active_.pairs()) {
    const NearPair& pair = near_.pairs[static_cast<std::size_t>(k)];
    if (pair.overlap == 0) continue;
    const NearElement &a = first(pair), &b = second(pair);
    if (a.counted) memory.push_back({a.id, b.id, pair.overlap, pair.forgiven});
    if (b.counted) memory.push_back({b.id, a.id, pair.overlap, pair.forgiven});
  }
  return memory;
}

void Collisions::restore(std::span<const partition::PairRecord> memory)
{
  std::map<std::pair<ElementId, ElementId>, const partition::PairRecord*> known;
  for (const auto& record : memory) known[std::minmax(record.element, record.other)] = &record;
  for (const int k : active_.pairs()) {
    NearPair& pair = near_.pairs[static_cast<std::size_t>(k)];
    const auto at = known.find({first(pair).id, second(pair).id});
    if (at != known.end()) pair.overlap = at->second->overlap, pair.forgiven = at->second->forgiven;
  }
}

void Collisions::add_costs(std::span<double> costs) const
{
  constexpr double merely_active = 0.02;  // of what one that touches costs: an axis is asked
  std::vector<double> looks(near_.pairs.size());
  for (std::size_t k = 0; k < looks.size(); ++k) looks[k] = near_.pairs[k].times_touching;
  for (const int k : active_.pairs()) looks[static_cast<std::size_t>(k)] += merely_active * looks_;
  const auto rate = [this](double work, double units) { return comm_.sum(work) / std::max(1.0, comm_.sum(units)); };
  const double per_listed = rate(work_.listed, static_cast<double>(near_.pairs.size())),
               per_look = rate(work_.touching, std::accumulate(looks.begin(), looks.end(), 0.0));
  for (std::size_t k = 0; k < near_.pairs.size(); ++k)
    for (const NearElement* element : {&first(near_.pairs[k]), &second(near_.pairs[k])})
      if (element->held >= 0) costs[static_cast<std::size_t>(element->held)] += (per_listed + per_look * looks[k]) / 2;
}

void Collisions::forget_work()
{
  work_ = {}, looks_ = 0;
  for (NearPair& pair : near_.pairs) pair.times_touching = 0;
}

bool Collisions::stale(std::span<const Row4> p, double dt) const
{
  const double elapsed = elapsed_ + dt;
  if (elapsed > near_.window.time) return true;
  constexpr double share = 0.99;  // the rest is for round-off
  const double most = share * share * near_.window.slack * near_.window.slack;
  return std::any_of(near_.watched.begin(), near_.watched.end(), [&](const WatchedNode& w) {
    const Vec3 off = p[static_cast<std::size_t>(w.node)].xyz() - w.p - elapsed * w.v;
    return !(off.squaredNorm() < most);
  });
}

void Collisions::start_exchange(std::span<const Row4> p, std::span<const Row4> v)
{
  exchange_.start(near_.neighbours, p, v);
}

void Collisions::finish_exchange(double dt)
{
  exchange_.finish(near_.neighbours, p_, v_);
  elapsed_ += dt, since_update_ += dt;
}

void Collisions::gather(std::span<const Row4> p, std::span<const Row4> v)
{
  for (std::size_t k = 0; k < near_.nodes.size(); ++k)
    if (const LocalIndex n = near_.nodes[k]; n >= 0)
      p_[k] = p[static_cast<std::size_t>(n)], v_[k] = v[static_cast<std::size_t>(n)];
}

void Collisions::forget_sides()
{
  sides_.resize(near_.elements.size());
  sides_set_.assign(near_.elements.size(), 0);
}

const Side& Collisions::side(int element)
{
  const auto k = static_cast<std::size_t>(element);
  if (!std::exchange(sides_set_[k], std::uint8_t{1}))
    sides_[k] = Side(corners_of(near_.elements[k].nodes, p_), near_.elements[k].free);
  return sides_[k];
}

Touch Collisions::touch_of(const NearPair& pair)
{
  const Side &a = side(pair.a), &b = side(pair.b);
  return criterion_ == Criterion::nodes ? touch_by_nodes(a, b) : touch(a, b);
}

/// Most active pairs stay apart from one look to the next, and along the same axis, which is quickly seen. The gap
/// asked for is far wider than round-off: touch_of() would find nothing either, so that who remembers an axis changes
/// no bit.
Touch Collisions::look_at(NearPair& pair)
{
  const Mat34 a = corners_of(first(pair).nodes, p_), b = corners_of(second(pair).nodes, p_);
  const double least_gap = 1e-6 * near_.window.slack;
  if (gap_along(pair.axis.cast<double>(), a, b) > least_gap) return {};
  const Touch touch = touch_of(pair);
  if (touch.volume == 0 && !pair.coincident) {
    pair.axis = separating_axis(a, b, 2 * least_gap).cast<float>();
    pair.coincident = pair.axis.isZero();
  }
  return touch;
}

double Collisions::stiffness(const NearElement& a, const NearElement& b) const
{
  return response_.stiffness > 0 ? response_.stiffness : 1 / (a.softness + b.softness);
}

void Collisions::find_touching(std::span<const Row4> p, std::span<const Row4> v, double interval)
{
  touching_.clear();
  gather(p, v);
  {
    const WorkWatch watch(work_.listed);
    active_.update(near_, p_, v_, std::exchange(since_update_, 0.0), interval);
  }
  const WorkWatch watch(work_.touching);
  forget_sides();
  for (const int k : active_.pairs()) {
    NearPair& pair = near_.pairs[static_cast<std::size_t>(k)];
    const Touch touch = look_at(pair);
    if (criterion_ == Criterion::overlap)
      pair.forgiven = pair.overlap == 0 ? touch.volume : std::min(pair.forgiven, touch.volume);
    pair.overlap = touch.volume;
    if (pair.overlap == 0) continue;
    touching_.push_back({k, touch});
    pair.times_touching += pair.times_touching < std::numeric_limits<std::uint16_t>::max();
  }
  ++looks_;
}

double Collisions::add_forces(std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f)
{
  if (touching_.empty()) return 0;
  const WorkWatch watch(work_.touching);
  gather(p, v);
  double power = 0;
  for (Touching& t : touching_) {
    const NearPair& pair = near_.pairs[static_cast<std::size_t>(t.pair)];
    const NearElement &a = first(pair), &b = second(pair);
    const Mat34 v_a = corners_of(a.nodes, v_), v_b = corners_of(b.nodes, v_);
    t.force = force_of(t.touch, response_, stiffness(a, b), pair.forgiven, corners_of(a.nodes, p_), v_a,
                       corners_of(b.nodes, p_), v_b);
    if (a.counted) power += t.force.dot(v_a * t.touch.weights_a - v_b * t.touch.weights_b);
    for (std::size_t c = 0; c < 4; ++c) {
      const auto k = static_cast<int>(c);
      add(f, near_.nodes[static_cast<std::size_t>(a.nodes[c])], t.touch.weights_a[k] * t.force);
      add(f, near_.nodes[static_cast<std::size_t>(b.nodes[c])], -t.touch.weights_b[k] * t.force);
    }
  }
  return power;
}

double Collisions::power(std::span<const Row4> v)
{
  for (std::size_t k = 0; k < near_.nodes.size(); ++k)
    if (const LocalIndex n = near_.nodes[k]; n >= 0) v_[k] = v[static_cast<std::size_t>(n)];
  double sum = 0;
  for (const Touching& t : touching_) {
    const NearPair& pair = near_.pairs[static_cast<std::size_t>(t.pair)];
    const NearElement &a = first(pair), &b = second(pair);
    if (a.counted)
      sum += t.force.dot(corners_of(a.nodes, v_) * t.touch.weights_a - corners_of(b.nodes, v_) * t.touch.weights_b);
  }
  return sum;
}

}  // namespace sunder::contact
