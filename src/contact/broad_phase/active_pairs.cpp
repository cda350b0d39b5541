#include "contact/broad_phase/active_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace sunder::contact {
namespace {

constexpr double intervals_to_last = 64;
// Skins of nodes, as shares of the list's skin.
constexpr double least = 0.005, at_first = 0.05, most = 1;

Row4 moved(const Row4& p, double t, const Row4& v)
{
  return {p.x + t * v.x, p.y + t * v.y, p.z + t * v.z, 0};
}

/// Where each of list.nodes stands in before.nodes; -1: not there.
std::vector<int> positions_before(const PairList& before, const PairList& list)
{
  std::unordered_map<NodeId, int> of_others;  // nodes that this rank does not hold have no index, so by id
  std::vector<int> of_held;
  for (const LocalIndex n : before.nodes)
    if (static_cast<std::size_t>(n + 1) > of_held.size()) of_held.resize(static_cast<std::size_t>(n + 1), -1);
  const auto each_corner = [](const PairList& of, const auto& visit) {
    for (const ListedElement& e : of.elements)
      for (std::size_t a = 0; a < 4; ++a) {
        const auto k = static_cast<std::size_t>(e.nodes[a]);
        visit(k, of.nodes[k], e.corners[a]);
      }
  };
  each_corner(before, [&](std::size_t k, LocalIndex n, NodeId id) {
    if (n >= 0)
      of_held[static_cast<std::size_t>(n)] = static_cast<int>(k);
    else
      of_others[id] = static_cast<int>(k);
  });
  std::vector<int> positions(list.nodes.size(), -1);
  each_corner(list, [&](std::size_t k, LocalIndex n, NodeId id) {
    if (n >= 0)
      positions[k] = static_cast<std::size_t>(n) < of_held.size() ? of_held[static_cast<std::size_t>(n)] : -1;
    else if (const auto found = of_others.find(id); found != of_others.end())
      positions[k] = found->second;
  });
  return positions;
}

}  // namespace

void ActivePairs::select(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double interval)
{
  constexpr double forget = 0.95;
  for (double& skin : skin_) skin *= forget;
  time_ = intervals_to_last * interval, elapsed_ = 0;
  motions_.resize(p.size());
  for (std::size_t k = 0; k < p.size(); ++k) motions_[k] = motion(list, k, p[k], v[k]);
  renewed_.assign(p.size(), 1);
  test_pairs(list, {});
}

void ActivePairs::update(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double since,
                         double interval)
{
  elapsed_ += since;
  if (elapsed_ > time_) return select(list, p, v, interval);
  renewed_.assign(p.size(), 0);
  renew_strays(list, p, v);
  if (std::find(renewed_.begin(), renewed_.end(), 1) != renewed_.end()) test_pairs(list, {});
}

void ActivePairs::continue_from(const PairList& before, PairList& list, std::span<const Row4> p,
                                std::span<const Row4> v, double since, double interval)
{
  elapsed_ += since;
  if (elapsed_ > time_) return select(list, p, v, interval);
  const std::vector<LinearMotion> earlier = std::move(motions_);
  const std::vector<int> positions = positions_before(before, list);
  motions_.resize(p.size());
  renewed_.assign(p.size(), 0);
  for (std::size_t k = 0; k < p.size(); ++k) {
    renewed_[k] = positions[k] < 0;
    motions_[k] = renewed_[k] ? motion(list, k, p[k], v[k]) : earlier[static_cast<std::size_t>(positions[k])];
  }
  renew_strays(list, p, v);
  test_pairs(list, list.new_pairs);
}

double ActivePairs::kept_skin(const PairList& list, std::size_t node)
{
  const double unknown = at_first * list.window.skin;
  const LocalIndex n = list.nodes[node];
  if (n < 0) return unknown;
  if (static_cast<std::size_t>(n) >= skin_.size()) skin_.resize(static_cast<std::size_t>(n + 1), 0);
  double& skin = skin_[static_cast<std::size_t>(n)];
  if (skin == 0) skin = unknown;
  return skin = std::clamp(skin, least * list.window.skin, most * list.window.skin);
}

/// The motion that passes p now with velocity v, for all of the time that motions last, including what of it is
/// already over.
ActivePairs::LinearMotion ActivePairs::motion(const PairList& list, std::size_t node, const Row4& p, const Row4& v)
{
  LinearMotion c{moved(p, -elapsed_, v), v, moved(p, time_ - elapsed_, v)};
  c.start.w = kept_skin(list, node);
  return c;
}

void ActivePairs::renew_strays(const PairList& list, std::span<const Row4> p, std::span<const Row4> v)
{
  for (std::size_t k = 0; k < p.size(); ++k) {
    const LinearMotion& c = motions_[k];
    const double x = p[k].x - c.start.x - elapsed_ * c.v.x, y = p[k].y - c.start.y - elapsed_ * c.v.y,
                 z = p[k].z - c.start.z - elapsed_ * c.v.z;
    if (x * x + y * y + z * z <= c.start.w * c.start.w) continue;
    if (const LocalIndex n = list.nodes[k]; n >= 0) skin_[static_cast<std::size_t>(n)] = 2 * c.start.w;
    motions_[k] = motion(list, k, p[k], v[k]);
    renewed_[k] = 1;
  }
}

/// Tests the new pairs, and the pairs of elements that have a node with a new motion.
void ActivePairs::test_pairs(PairList& list, std::span<const int> new_pairs)
{
  std::vector<std::uint8_t> renewed(list.elements.size());
  for (std::size_t e = 0; e < renewed.size(); ++e)
    for (const int n : list.elements[e].nodes) renewed[e] |= renewed_[static_cast<std::size_t>(n)];
  active_.clear();
  auto next = new_pairs.begin();
  for (int k = 0; k < static_cast<int>(list.pairs.size()); ++k) {
    ListedPair& pair = list.pairs[static_cast<std::size_t>(k)];
    const bool is_new = next != new_pairs.end() && *next == k;
    if (is_new) ++next;
    if (is_new || renewed[static_cast<std::size_t>(pair.a)] || renewed[static_cast<std::size_t>(pair.b)]) {
      pair.active = !stay_apart(list, pair);
      if (!pair.active) pair.overlap = 0;
    }
    if (pair.active) active_.push_back(k);
  }
}

geometry::LinearMotion ActivePairs::motion_of(const ListedElement& e) const
{
  geometry::LinearMotion of_element;
  for (int a = 0; a < 4; ++a) {
    const LinearMotion& c = motions_[static_cast<std::size_t>(e.nodes[static_cast<std::size_t>(a)])];
    of_element.start.col(a) = c.start.xyz() + elapsed_ * c.v.xyz(), of_element.end.col(a) = c.end.xyz();
  }
  return of_element;
}

double ActivePairs::skin_of(const ListedElement& e) const
{
  double skin = 0;
  for (const int n : e.nodes) skin = std::max(skin, motions_[static_cast<std::size_t>(n)].start.w);
  return skin;
}

/// The axis along which the two had a gap before is tried first, then the normals of faces. Axes square to two edges
/// are not tried: the few pairs that only these keep apart stay active.
bool ActivePairs::stay_apart(const PairList& list, ListedPair& pair) const
{
  const ListedElement &first = list.elements[static_cast<std::size_t>(pair.a)],
                      &second = list.elements[static_cast<std::size_t>(pair.b)];
  const geometry::LinearMotion a = motion_of(first), b = motion_of(second);
  const double skin = skin_of(first) + skin_of(second);
  if (geometry::keeps_apart(pair.axis.cast<double>(), a, b, skin)) return true;
  const Vec3 normal = geometry::separating_face(a, b, skin);
  if (normal.isZero()) return false;
  pair.axis = normal.normalized().cast<float>();
  return true;
}

}  // namespace sunder::contact
