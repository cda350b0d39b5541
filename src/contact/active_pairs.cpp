#include "contact/active_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace sunder::contact {
namespace {

constexpr double intervals_to_last = 64;
// Of the slack of the list.
constexpr double least = 0.005, at_first = 0.05, most = 1;

Row4 moved(const Row4& p, double t, const Row4& v)
{
  return {p.x + t * v.x, p.y + t * v.y, p.z + t * v.z, 0};
}

/// Where each of near.nodes stands in before.nodes; -1: not there.
std::vector<int> positions_before(const Near& before, const Near& near)
{
  std::unordered_map<NodeId, int> of_others;  // nodes that this rank does not hold have no index
  std::vector<int> of_held;
  for (const LocalIndex n : before.nodes)
    if (static_cast<std::size_t>(n + 1) > of_held.size()) of_held.resize(static_cast<std::size_t>(n + 1), -1);
  const auto each_corner = [](const Near& list, const auto& visit) {
    for (const NearElement& e : list.elements)
      for (std::size_t a = 0; a < 4; ++a) {
        const auto k = static_cast<std::size_t>(e.nodes[a]);
        visit(k, list.nodes[k], e.corners[a]);
      }
  };
  each_corner(before, [&](std::size_t k, LocalIndex n, NodeId id) {
    if (n >= 0)
      of_held[static_cast<std::size_t>(n)] = static_cast<int>(k);
    else
      of_others[id] = static_cast<int>(k);
  });
  std::vector<int> positions(near.nodes.size(), -1);
  each_corner(near, [&](std::size_t k, LocalIndex n, NodeId id) {
    if (n >= 0)
      positions[k] = static_cast<std::size_t>(n) < of_held.size() ? of_held[static_cast<std::size_t>(n)] : -1;
    else if (const auto found = of_others.find(id); found != of_others.end())
      positions[k] = found->second;
  });
  return positions;
}

}  // namespace

void ActivePairs::select(Near& near, std::span<const Row4> p, std::span<const Row4> v, double interval)
{
  constexpr double forget = 0.95;
  for (double& slack : slack_) slack *= forget;
  time_ = intervals_to_last * interval, elapsed_ = 0;
  courses_.resize(p.size());
  for (std::size_t k = 0; k < p.size(); ++k) courses_[k] = course(near, k, p[k], v[k]);
  renewed_.assign(p.size(), 1);
  look_again(near, {});
}

void ActivePairs::update(Near& near, std::span<const Row4> p, std::span<const Row4> v, double since, double interval)
{
  elapsed_ += since;
  if (elapsed_ > time_) return select(near, p, v, interval);
  renewed_.assign(p.size(), 0);
  renew_strays(near, p, v);
  if (std::find(renewed_.begin(), renewed_.end(), 1) != renewed_.end()) look_again(near, {});
}

void ActivePairs::continue_from(const Near& before, Near& near, std::span<const Row4> p, std::span<const Row4> v,
                                double since, double interval)
{
  elapsed_ += since;
  if (elapsed_ > time_) return select(near, p, v, interval);
  const std::vector<NodeCourse> earlier = std::move(courses_);
  const std::vector<int> positions = positions_before(before, near);
  courses_.resize(p.size());
  renewed_.assign(p.size(), 0);
  for (std::size_t k = 0; k < p.size(); ++k) {
    renewed_[k] = positions[k] < 0;
    courses_[k] = renewed_[k] ? course(near, k, p[k], v[k]) : earlier[static_cast<std::size_t>(positions[k])];
  }
  renew_strays(near, p, v);
  look_again(near, near.new_pairs);
}

double ActivePairs::kept_slack(const Near& near, std::size_t node)
{
  const double unknown = at_first * near.window.slack;
  const LocalIndex n = near.nodes[node];
  if (n < 0) return unknown;
  if (static_cast<std::size_t>(n) >= slack_.size()) slack_.resize(static_cast<std::size_t>(n + 1), 0);
  double& slack = slack_[static_cast<std::size_t>(n)];
  if (slack == 0) slack = unknown;
  return slack = std::clamp(slack, least * near.window.slack, most * near.window.slack);
}

/// From p on, and before as if it had set out so.
ActivePairs::NodeCourse ActivePairs::course(const Near& near, std::size_t node, const Row4& p, const Row4& v)
{
  NodeCourse c{moved(p, -elapsed_, v), v, moved(p, time_ - elapsed_, v)};
  c.start.w = kept_slack(near, node);
  return c;
}

void ActivePairs::renew_strays(const Near& near, std::span<const Row4> p, std::span<const Row4> v)
{
  for (std::size_t k = 0; k < p.size(); ++k) {
    const NodeCourse& c = courses_[k];
    const double x = p[k].x - c.start.x - elapsed_ * c.v.x, y = p[k].y - c.start.y - elapsed_ * c.v.y,
                 z = p[k].z - c.start.z - elapsed_ * c.v.z;
    if (x * x + y * y + z * z <= c.start.w * c.start.w) continue;
    if (const LocalIndex n = near.nodes[k]; n >= 0) slack_[static_cast<std::size_t>(n)] = 2 * c.start.w;
    courses_[k] = course(near, k, p[k], v[k]);
    renewed_[k] = 1;
  }
}

/// At new pairs, and at those of elements that have a renewed node.
void ActivePairs::look_again(Near& near, std::span<const int> new_pairs)
{
  std::vector<std::uint8_t> renewed(near.elements.size());
  for (std::size_t e = 0; e < renewed.size(); ++e)
    for (const int n : near.elements[e].nodes) renewed[e] |= renewed_[static_cast<std::size_t>(n)];
  active_.clear();
  auto next = new_pairs.begin();
  for (int k = 0; k < static_cast<int>(near.pairs.size()); ++k) {
    NearPair& pair = near.pairs[static_cast<std::size_t>(k)];
    const bool is_new = next != new_pairs.end() && *next == k;
    if (is_new) ++next;
    if (is_new || renewed[static_cast<std::size_t>(pair.a)] || renewed[static_cast<std::size_t>(pair.b)]) {
      pair.active = !stay_apart(near, pair);
      if (!pair.active) pair.overlap = 0;
    }
    if (pair.active) active_.push_back(k);
  }
}

Course ActivePairs::course_of(const NearElement& e) const
{
  Course of_element;
  for (int a = 0; a < 4; ++a) {
    const NodeCourse& c = courses_[static_cast<std::size_t>(e.nodes[static_cast<std::size_t>(a)])];
    of_element.start.col(a) = c.start.xyz() + elapsed_ * c.v.xyz(), of_element.end.col(a) = c.end.xyz();
  }
  return of_element;
}

double ActivePairs::slack_of(const NearElement& e) const
{
  double slack = 0;
  for (const int n : e.nodes) slack = std::max(slack, courses_[static_cast<std::size_t>(n)].start.w);
  return slack;
}

/// The axis along which they had a gap before is asked first. Edges that part them are left to those who look at
/// overlaps.
bool ActivePairs::stay_apart(const Near& near, NearPair& pair) const
{
  const NearElement &first = near.elements[static_cast<std::size_t>(pair.a)],
                    &second = near.elements[static_cast<std::size_t>(pair.b)];
  const Course a = course_of(first), b = course_of(second);
  const double slack = slack_of(first) + slack_of(second);
  if (keeps_apart(pair.axis.cast<double>(), a, b, slack)) return true;
  const Vec3 normal = separating_face(a, b, slack);
  if (normal.isZero()) return false;
  pair.axis = normal.normalized().cast<float>();
  return true;
}

}  // namespace sunder::contact
