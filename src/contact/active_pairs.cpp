#include "contact/active_pairs.hpp"

#include "contact/corners.hpp"
#include "contact/separation.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

constexpr double intervals_to_last = 64;
// Of the slack of the list.
constexpr double least = 0.005, at_first = 0.05, most = 1;

double slack_of(const NearElement& e, std::span<const Row4> start)
{
  double slack = 0;
  for (const int n : e.nodes) slack = std::max(slack, start[static_cast<std::size_t>(n)].w);
  return slack;
}

}  // namespace

void ActivePairs::update(Near& near, std::span<const Row4> p, std::span<const Row4> v, double since, double interval)
{
  elapsed_ += since;
  const bool strayed = find_strays(near, p);
  if (strayed || elapsed_ > time_) select(near, p, v, interval);
}

bool ActivePairs::find_strays(const Near& near, std::span<const Row4> p)
{
  bool found = false;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Row4 &from = start_[k], &v = course_[k];
    const double x = p[k].x - from.x - elapsed_ * v.x, y = p[k].y - from.y - elapsed_ * v.y,
                 z = p[k].z - from.z - elapsed_ * v.z;
    if (x * x + y * y + z * z <= from.w * from.w) continue;
    found = true;
    if (const LocalIndex n = near.nodes[k]; n >= 0) slack_[static_cast<std::size_t>(n)] = 2 * from.w;
  }
  return found;
}

void ActivePairs::set_courses(const Near& near, std::span<const Row4> p, std::span<const Row4> v, double interval)
{
  constexpr double forget = 0.95;
  time_ = intervals_to_last * interval, elapsed_ = 0;
  start_.assign(p.begin(), p.end()), course_.assign(v.begin(), v.end());
  end_.resize(p.size());
  LocalIndex last = -1;
  for (const LocalIndex n : near.nodes) last = std::max(last, n);
  if (static_cast<std::size_t>(last + 1) > slack_.size()) slack_.resize(static_cast<std::size_t>(last + 1), 0);
  for (std::size_t k = 0; k < p.size(); ++k) {
    const LocalIndex n = near.nodes[k];
    double slack = n < 0 || slack_[static_cast<std::size_t>(n)] == 0 ? at_first * near.window.slack
                                                                     : forget * slack_[static_cast<std::size_t>(n)];
    slack = std::clamp(slack, least * near.window.slack, most * near.window.slack);
    if (n >= 0) slack_[static_cast<std::size_t>(n)] = slack;
    start_[k].w = slack;
    end_[k] = {p[k].x + time_ * v[k].x, p[k].y + time_ * v[k].y, p[k].z + time_ * v[k].z, 0};
  }
}

void ActivePairs::select(Near& near, std::span<const Row4> p, std::span<const Row4> v, double interval)
{
  set_courses(near, p, v, interval);
  active_.clear();
  for (std::size_t k = 0; k < near.pairs.size(); ++k) {
    if (stay_apart(near, near.pairs[k]))
      near.pairs[k].overlap = 0;
    else
      active_.push_back(static_cast<int>(k));
  }
}

/// The axis along which they had a gap before is asked first. Edges that part them are left to those who look at
/// overlaps.
bool ActivePairs::stay_apart(const Near& near, NearPair& pair) const
{
  const NearElement &first = near.elements[static_cast<std::size_t>(pair.a)],
                    &second = near.elements[static_cast<std::size_t>(pair.b)];
  const Course a{corners_of(first.nodes, start_), corners_of(first.nodes, end_)},
      b{corners_of(second.nodes, start_), corners_of(second.nodes, end_)};
  const double slack = slack_of(first, start_) + slack_of(second, start_);
  if (keeps_apart(pair.axis.cast<double>(), a, b, slack)) return true;
  const Vec3 normal = separating_face(a, b, slack);
  if (normal.isZero()) return false;
  pair.axis = normal.normalized().cast<float>();
  return true;
}

}  // namespace sunder::contact
