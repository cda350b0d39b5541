#include "contact/broad_phase/active_pairs.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
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

}  // namespace

void ActivePairs::select(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double interval)
{
  constexpr double forget = 0.95;
  for (double& skin : skin_) skin *= forget;
  time_ = intervals_to_last * interval, elapsed_ = 0;
  motions_.resize(p.size());
  for (std::size_t k = 0; k < p.size(); ++k) motions_[k] = motion(list, k, p[k], v[k]);
  active_.clear(), untested_.clear(), sorted_ = 0;
  for (ListedPair& pair : list.pairs) pair.active = false;
  std::vector<int> all(list.pairs.size());
  std::iota(all.begin(), all.end(), 0);
  test(list, all, Planes::all);
  const auto pair = [&list](int k) -> const ListedPair& { return list.pairs[static_cast<std::size_t>(k)]; };
  const auto others =
      std::stable_partition(active_.begin(), active_.end(), [&pair](int k) { return pair(k).overlap != 0; });
  std::sort(active_.begin(), others, [&](int i, int j) { return list.ids(pair(i)) < list.ids(pair(j)); });
  sorted_ = static_cast<std::size_t>(others - active_.begin());
}

void ActivePairs::update(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double since,
                         double interval)
{
  elapsed_ += since;
  if (elapsed_ > time_) return select(list, p, v, interval);
  renewed_.assign(p.size(), 0);
  renew_strays(list, p, v);
  test(list, std::exchange(untested_, {}), Planes::remembered);  // across the widest gap that the search has seen
  if (std::find(renewed_.begin(), renewed_.end(), 1) != renewed_.end())
    test(list, inactive_pairs_of_renewed(list), Planes::all);
}

void ActivePairs::mend(PairList& list, std::span<const Row4> p, std::span<const Row4> v, double since)
{
  elapsed_ += since;
  motions_.resize(p.size());
  for (const int node : list.new_nodes) {
    const auto k = static_cast<std::size_t>(node);
    motions_[k] = motion(list, k, p[k], v[k]);
  }
  const auto removed = [&list](int k) { return list.pairs[static_cast<std::size_t>(k)].a < 0; };
  remove(removed), std::erase_if(untested_, removed);
  for (const int k : list.new_pairs) list.pairs[static_cast<std::size_t>(k)].active = true;
  active_.insert(active_.end(), list.new_pairs.begin(), list.new_pairs.end());
  untested_.insert(untested_.end(), list.new_pairs.begin(), list.new_pairs.end());
}

template <class Gone>
void ActivePairs::remove(const Gone& gone)
{
  const auto middle = active_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  const auto end = std::remove_if(active_.begin(), middle, gone);
  sorted_ = static_cast<std::size_t>(end - active_.begin());
  active_.erase(std::move(middle, std::remove_if(middle, active_.end(), gone), end), active_.end());
}

double ActivePairs::kept_skin(const PairList& list, std::size_t node)
{
  const double unknown = at_first * list.window.least_skin;
  const LocalIndex n = list.nodes[node];
  if (n < 0) return unknown;
  if (static_cast<std::size_t>(n) >= skin_.size()) skin_.resize(static_cast<std::size_t>(n + 1), 0);
  double& skin = skin_[static_cast<std::size_t>(n)];
  if (skin == 0) skin = unknown;
  return skin = std::clamp(skin, least * list.window.least_skin, most * list.window.least_skin);
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

/// Of elements that have a node with a new motion, each pair once.
std::vector<int> ActivePairs::inactive_pairs_of_renewed(const PairList& list)
{
  std::vector<int> pairs;
  to_test_.resize(list.pairs.size(), 0);
  for (std::size_t e = 0; e < list.elements.size(); ++e) {
    const auto& nodes = list.elements[e].nodes;
    if (list.pairs_of[e].empty()) continue;
    if (std::none_of(nodes.begin(), nodes.end(), [this](int n) { return renewed_[static_cast<std::size_t>(n)] != 0; }))
      continue;
    for (const int k : list.pairs_of[e])
      if (!list.pairs[static_cast<std::size_t>(k)].active &&
          std::exchange(to_test_[static_cast<std::size_t>(k)], std::uint8_t{1}) == 0)
        pairs.push_back(k);
  }
  for (const int k : pairs) to_test_[static_cast<std::size_t>(k)] = 0;
  return pairs;
}

void ActivePairs::test(PairList& list, std::span<const int> pairs, Planes planes)
{
  Cache of_a, of_b;
  bool some_gone = false;
  for (const int k : pairs) {
    ListedPair& pair = list.pairs[static_cast<std::size_t>(k)];
    if (pair.a < 0) continue;
    const Moving &a = cached(of_a, list, pair.a), &b = cached(of_b, list, pair.b);
    const bool before = std::exchange(pair.active, !stay_apart(pair, a, b, planes, list.least_gap()));
    if (!pair.active) pair.overlap = 0;
    if (pair.active && !before) active_.push_back(k);
    some_gone = some_gone || (before && !pair.active);
  }
  if (some_gone) remove([&list](int k) { return !list.pairs[static_cast<std::size_t>(k)].active; });
}

/// Holds until the next call with the same cache.
const ActivePairs::Moving& ActivePairs::cached(Cache& cache, const PairList& list, int element) const
{
  Moving& place = cache[static_cast<std::size_t>(element) % cache.size()];
  if (place.element != element) place = moving(list, element);
  return place;
}

ActivePairs::Moving ActivePairs::moving(const PairList& list, int element) const
{
  Moving result{.element = element, .motion = {}};
  for (int a = 0; a < 4; ++a) {
    const int n = list.elements[static_cast<std::size_t>(element)].nodes[static_cast<std::size_t>(a)];
    const LinearMotion& c = motions_[static_cast<std::size_t>(n)];
    result.motion.start.col(a) = c.start.xyz() + elapsed_ * c.v.xyz(), result.motion.end.col(a) = c.end.xyz();
    result.skin = std::max(result.skin, c.start.w);
  }
  return result;
}

/// The plane across which the two had a gap before is tried first, then those of faces. A plane along two edges is
/// looked for if no plane is known.
bool ActivePairs::stay_apart(ListedPair& pair, const Moving& a, const Moving& b, Planes planes, double least_gap)
{
  const double skin = a.skin + b.skin;
  const auto holds = [&] {
    return geometry::keeps_apart(pair.plane.normal(a.motion.start, b.motion.start), a.motion, b.motion, skin);
  };
  if (holds()) return true;
  if (planes == Planes::remembered) return false;
  const geometry::SeparatingPlane face = geometry::separating_face(a.motion, b.motion, skin);
  if (!face.none()) return pair.plane = face, true;
  if (!pair.plane.none()) return false;
  pair.search_plane(a.motion.start, b.motion.start, 2 * least_gap);
  return holds();
}

}  // namespace sunder::contact
