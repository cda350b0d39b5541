#include "contact/trial_collisions.hpp"

#include "contact/law/pair_force.hpp"
#include "contact/narrow_phase/node_penetration.hpp"
#include "core/fault_point.hpp"
#include "core/tags.hpp"
#include "geometry/corners.hpp"
#include "geometry/separating_axis.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace sunder::contact {
namespace {

constexpr double skin_share = 0.1;  // of the size: how far nodes may go until pairs are listed anew

/// How far a and b approach each other along a unit vector, or in any direction if it is zero.
double approach(const Vec3& axis, const Mat34& a, const Mat34& b)
{
  if (!axis.isZero()) return (axis.transpose() * a).maxCoeff() - (axis.transpose() * b).minCoeff();
  double greatest = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) greatest = std::max(greatest, (a.col(i) - b.col(j)).norm());
  return greatest;
}

}  // namespace

TrialCollisions::TrialCollisions(const Comm& comm, const Response& response, std::vector<double> moduli,
                                 ContactCriterion criterion, Links links)
  : comm_(comm),
    response_(response),
    moduli_(std::move(moduli)),
    criterion_(criterion),
    links_(links == Links::in_w),
    search_(comm),
    exchange_(comm, tags::collision, links_)
{
}

void TrialCollisions::set_surface(const Bodies& bodies, const partition::Halo& halo)
{
  std::vector<LocalIndex> all(static_cast<std::size_t>(bodies.mesh.num_slots()));
  std::iota(all.begin(), all.end(), 0);
  surface_ = ContactSurface();
  surface_.update(bodies.mesh, halo, all);
  listed_ = false;
}

void TrialCollisions::reset(const Bodies& bodies, const partition::Halo& halo,
                            std::span<const partition::PairRecord> memory)
{
  std::map<Ids, Remembered> known;
  for (const partition::PairRecord& record : memory) {
    const Ids key = std::minmax(record.element, record.other);
    known[key] = {key, {record.overlap, record.initial_overlap}};
  }
  remembered_.clear();
  for (const auto& [key, record] : known) remembered_.push_back(record);
  set_surface(bodies, halo);
  find_overlaps(bodies);
  settle(false);
}

void TrialCollisions::cut(const Bodies& bodies, const partition::Halo& halo, Origins origins)
{
  origins_ = std::move(origins);
  set_surface(bodies, halo);
  find_overlaps(bodies);
  settle(true);
  origins_.clear();
}

bool TrialCollisions::out_of_skin(std::span<const Row4> p) const
{
  constexpr double share = 0.99;  // the rest is for round-off
  const double most = share * share * list().window.least_skin * list().window.least_skin;
  return std::any_of(list().watched.begin(), list().watched.end(), [&](const WatchedNode& w) {
    return !((p[static_cast<std::size_t>(w.node)].xyz() - w.motion.at(0)).squaredNorm() < most);
  });
}

void TrialCollisions::make_list(const Bodies& bodies)
{
  allocation_point("contact: pairs");
  const ListWindow window{0, skin_share * bodies.size};
  overlapping_.clear();
  const std::vector<NodeMotion> motions = motions_of(bodies.p, bodies.v, window);
  search_.begin({bodies.mesh, surface_, motions, moduli_, origins_, bodies.size}, window);
  p_.assign(list().nodes.size(), Row4{}), v_.assign(list().nodes.size(), Row4{});
  owners_.assign(list().nodes.size(), -1);
  for (const partition::Neighbour& neighbour : list().neighbours)
    for (const LocalIndex k : neighbour.ghosts) owners_[static_cast<std::size_t>(k)] = neighbour.rank;
  exchange_.set(list().neighbours);
  listed_ = true;
  recall();
}

ElementId TrialCollisions::origin(const ListedElement& e) const
{
  return e.slot >= 0 ? contact::origin(origins_, e.id) : search_.other(e).is.origin;
}

/// Listed pairs get what they, or the pairs that they were cut from, remember.
void TrialCollisions::recall()
{
  had_.assign(list().pairs.size(), {});
  for (std::size_t k = 0; k < had_.size(); ++k) {
    ListedPair& pair = list().pairs[k];
    if (links_) pair.common_corners = common_corners(list(), element(pair.a), element(pair.b));
    const Ids key = std::minmax({origin(element(pair.a)), origin(element(pair.b))});
    const auto at = std::lower_bound(remembered_.begin(), remembered_.end(), key,
                                     [](const Remembered& r, const Ids& wanted) { return r.ids < wanted; });
    if (at != remembered_.end() && at->ids == key) had_[k] = at->had;
  }
}

void TrialCollisions::gather(const Bodies& bodies)
{
  exchange_.start(list().neighbours, bodies.p, bodies.v);
  exchange_.finish(list().neighbours, p_, v_);
  for (std::size_t k = 0; k < list().nodes.size(); ++k)
    if (const LocalIndex n = list().nodes[k]; n >= 0)
      p_[k] = bodies.p[static_cast<std::size_t>(n)], v_[k] = bodies.v[static_cast<std::size_t>(n)];
  first_sides_.clear(), second_sides_.clear();
}

/// The remembered plane first, as in Collisions.
ElementOverlap TrialCollisions::measure(ListedPair& pair)
{
  if (held_by_links(pair.common_corners, element(pair.a), element(pair.b), p_)) return {};
  const auto &of_a = element(pair.a).nodes, &of_b = element(pair.b).nodes;
  if (pair.plane.separates(geometry::Corners(of_a, p_), geometry::Corners(of_b, p_), list().least_gap())) return {};
  const Side &a = first_sides_.side(list(), pair.a, p_), &b = second_sides_.side(list(), pair.b, p_);
  const ElementOverlap overlap =
      criterion_ == ContactCriterion::nodes ? overlap_by_nodes(a, b) : overlap_of_elements(a, b, Arithmetic::of_slope);
  if (overlap.volume == 0) pair.search_plane(a.p, b.p, 2 * list().least_gap());
  return overlap;
}

void TrialCollisions::find_overlaps(const Bodies& bodies)
{
  if (comm_.max(std::int64_t{!listed_ || out_of_skin(bodies.p)}) != 0) make_list(bodies);
  gather(bodies);
  overlapping_.clear();
  for (std::size_t k = 0; k < list().pairs.size(); ++k)
    if (const ElementOverlap overlap = measure(list().pairs[k]); overlap.volume > 0)
      overlapping_.push_back({static_cast<int>(k), overlap});
  std::sort(overlapping_.begin(), overlapping_.end(),
            [this](const Overlapping& x, const Overlapping& y) { return ids(pair(x)) < ids(pair(y)); });
}

/// After reset() or cut(). An overlap of which nothing is remembered is an initial one; what is left of an overlap
/// after a cut keeps the share of it that is.
void TrialCollisions::settle(bool was_cut)
{
  if (criterion_ == ContactCriterion::overlap)
    for (const Overlapping& o : overlapping_) {
      Overlaps& had = had_[static_cast<std::size_t>(o.pair)];
      if (had.overlap == 0)
        had.initial_overlap = o.overlap.volume;
      else if (was_cut)
        had.initial_overlap *= o.overlap.volume / had.overlap;
    }
  remember();
}

void TrialCollisions::remember()
{
  remembered_.clear(), memory_.clear();
  std::vector<Overlaps> have(had_.size());
  for (const Overlapping& o : overlapping_) {
    const ListedElement &a = element(pair(o).a), &b = element(pair(o).b);
    const Overlaps now{o.overlap.volume, std::min(had(o).initial_overlap, o.overlap.volume)};
    have[static_cast<std::size_t>(o.pair)] = now;
    remembered_.push_back({{a.id, b.id}, now});
    if (a.slot >= 0) memory_.push_back({a.id, b.id, now.overlap, now.initial_overlap});
    if (b.slot >= 0) memory_.push_back({b.id, a.id, now.overlap, now.initial_overlap});
  }
  had_ = std::move(have);
}

double TrialCollisions::stiffness(const ListedPair& pair) const
{
  return response_.stiffness > 0 ? response_.stiffness : 1 / (element(pair.a).compliance + element(pair.b).compliance);
}

void TrialCollisions::add_forces(std::span<Row4> f) const
{
  for (const Overlapping& o : overlapping_) {
    const ListedElement &a = element(pair(o).a), &b = element(pair(o).b);
    const Vec3 force = pair_force(o.overlap, response_, stiffness(pair(o)), had(o).initial_overlap,
                                  geometry::corners_of(a.nodes, p_), geometry::corners_of(a.nodes, v_),
                                  geometry::corners_of(b.nodes, p_), geometry::corners_of(b.nodes, v_));
    const auto add = [&](int node, const Vec3& on_node) {
      const LocalIndex n = list().nodes[static_cast<std::size_t>(node)];
      if (n < 0) return;  // its owner has this pair too, and adds the force
      Row4& row = f[static_cast<std::size_t>(n)];
      row.x += on_node.x(), row.y += on_node.y(), row.z += on_node.z();
    };
    for (std::size_t c = 0; c < 4; ++c) {
      add(a.nodes[c], o.overlap.weights_a[static_cast<int>(c)] * force);
      add(b.nodes[c], -o.overlap.weights_b[static_cast<int>(c)] * force);
    }
  }
}

TrialCollisions::Corners TrialCollisions::corners(std::size_t k) const
{
  Corners corners;
  for (std::size_t c = 0; c < 8; ++c) {
    const ListedElement& e = element(c < 4 ? pair(overlapping_[k]).a : pair(overlapping_[k]).b);
    const auto at = static_cast<std::size_t>(e.nodes[c % 4]);
    corners[c] = {list().node_ids[at], list().nodes[at], owners_[at]};
  }
  return corners;
}

PairMatrix TrialCollisions::tangent(std::size_t k, const TangentOptions& options) const
{
  const Overlapping& o = overlapping_[k];
  const ListedElement &a = element(pair(o).a), &b = element(pair(o).b);
  const Side side_a(geometry::corners_of(a.nodes, p_), a.free), side_b(geometry::corners_of(b.nodes, p_), b.free);
  const ElementOverlapSlope slope = criterion_ == ContactCriterion::nodes ? slope_of_overlap_by_nodes(side_a, side_b)
                                                                          : slope_of_overlap(side_a, side_b);
  return pair_tangent(slope, resolved(response_, stiffness(pair(o))), had(o).initial_overlap,
                      geometry::corners_of(a.nodes, v_), geometry::corners_of(b.nodes, v_), options);
}

double TrialCollisions::safe_share(const Bodies& bodies, std::span<const Row4> moves) const
{
  const double least = bodies.size / 4;
  double furthest = 0, share = std::numeric_limits<double>::infinity();
  for (const Row4& move : moves) furthest = std::max(furthest, move.xyz().norm());
  if (2 * comm_.max(furthest) <= least) return share;
  const ListWindow window{1, 1e-6 * bodies.size};
  const Origins origins;
  PairSearch search(comm_);
  const std::vector<NodeMotion> motions = motions_of(bodies.p, moves, window);
  search.begin({bodies.mesh, surface_, motions, moduli_, origins, bodies.size}, window);
  const PairList& list = search.list();
  std::vector<Row4> from(list.nodes.size()), by(list.nodes.size());
  partition::KinematicsExchange exchange(comm_, tags::collision);
  exchange.set(list.neighbours);
  exchange.start(list.neighbours, bodies.p, moves);
  exchange.finish(list.neighbours, from, by);
  for (std::size_t k = 0; k < from.size(); ++k)
    if (const LocalIndex n = list.nodes[k]; n >= 0)
      from[k] = bodies.p[static_cast<std::size_t>(n)], by[k] = moves[static_cast<std::size_t>(n)];
  for (const ListedPair& pair : list.pairs) {
    const auto corners = [&](int e, std::span<const Row4> of) {
      return geometry::corners_of(list.elements[static_cast<std::size_t>(e)].nodes, of);
    };
    const Mat34 a = corners(pair.a, from), b = corners(pair.b, from);
    const Vec3 axis = geometry::separating_plane(a, b, 0).normal(a, b).normalized();
    const double gap = axis.isZero() ? 0 : geometry::gap_along(axis, a, b);
    const double closing = approach(axis, corners(pair.a, by), corners(pair.b, by));
    if (closing > 0) share = std::min(share, std::max(gap, least) / closing);
  }
  return -comm_.max(-share);
}

}  // namespace sunder::contact
