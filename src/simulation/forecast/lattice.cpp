#include "simulation/forecast/lattice.hpp"

#include "simulation/setup/selection.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::simulation {
namespace {

/// Places first to last of the points base + i step; none if last < first.
struct Row {
  Vec3 base, step;
  GlobalIndex first = 0, last = -1;

  Vec3 at(GlobalIndex i) const { return base + static_cast<double>(i) * step; }
};

struct Span {
  double low = 0, high = 0;

  void cut(double a, double b) { low = std::max(low, std::min(a, b)), high = std::min(high, std::max(a, b)); }
  void clear() { low = 1, high = 0; }
};

/// Where |r + t d| <= radius.
void cut_by_ball(const Vec3& r, const Vec3& d, double radius, Span& span)
{
  const double a = d.squaredNorm(), b = r.dot(d), c = r.squaredNorm() - radius * radius;
  if (a == 0) {
    if (c > 0) span.clear();
    return;
  }
  const double root = b * b - a * c;
  if (root < 0) return span.clear();
  span.cut((-b - std::sqrt(root)) / a, (-b + std::sqrt(root)) / a);
}

double height_of(const config::Selection::Side& side, const Vec3& x)
{
  return side.normal.dot(x - side.point);
}

/// The part of a row that is in the span, right to about a point, and has what is asked of the points at its ends.
template <class Test>
Row settled(Row row, const Span& span, const Test& is_in)
{
  if (!(span.low <= span.high)) return row.last = row.first - 1, row;
  row.first = static_cast<GlobalIndex>(std::ceil(span.low)), row.last = static_cast<GlobalIndex>(std::floor(span.high));
  while (row.first <= row.last && !is_in(row.at(row.first))) ++row.first;
  while (row.first <= row.last && !is_in(row.at(row.last))) --row.last;
  return row;
}

/// The part of a row whose points are above the place's height.
Row part_above(const Place& place, const Row& row)
{
  if (!place.where.side || place.height == -std::numeric_limits<double>::infinity()) return row;
  const config::Selection::Side& side = *place.where.side;
  const double base = height_of(side, row.base) - place.height, step = side.normal.dot(row.step);
  Span span{static_cast<double>(row.first), static_cast<double>(row.last)};
  if (step > 0)
    span.low = std::max(span.low, std::floor(-base / step));
  else if (step < 0)
    span.high = std::min(span.high, std::ceil(-base / step));
  return settled(row, span, [&](const Vec3& x) { return height_of(side, x) > place.height; });
}

/// More than that of inside() for the points between these two.
double wide_slack(double size, const Vec3& a, const Vec3& b)
{
  return 2 * std::max(slack(size, a), slack(size, b));
}

/// The part of a row that is in the place. The formulas are right to about a point; its border is settled by asking the
/// points there.
Row part_inside(const Place& place, Row row)
{
  const config::Selection& where = place.where;
  const auto wide = [begin = row.at(row.first), end = row.at(row.last)](double size) {
    return wide_slack(size, begin, end);
  };
  Span span{static_cast<double>(row.first), static_cast<double>(row.last)};
  if (where.box)
    for (int axis = 0; axis < 3; ++axis) {
      const double more = wide((where.box->max - where.box->min).maxCoeff());
      const double low = where.box->min[axis] - more, high = where.box->max[axis] + more;
      if (row.step[axis] != 0)
        span.cut((low - row.base[axis]) / row.step[axis], (high - row.base[axis]) / row.step[axis]);
      else if (row.base[axis] < low || row.base[axis] > high)
        span.clear();
    }
  if (where.sphere)
    cut_by_ball(row.base - where.sphere->center, row.step, where.sphere->radius + wide(where.sphere->radius), span);
  if (where.cylinder) {
    const Vec3 axis = where.cylinder->axis.normalized(), r = row.base - where.cylinder->point;
    cut_by_ball(r - axis * axis.dot(r), row.step - axis * axis.dot(row.step),
                where.cylinder->radius + wide(where.cylinder->radius), span);
  }
  return part_above(place, settled(row, span, [&where](const Vec3& x) { return inside(where, x); }));
}

/// Is the whole simplex in the place?
bool place_contains(const Place& place, std::span<const Vec3> corners)
{
  return std::all_of(corners.begin(), corners.end(), [&place](const Vec3& x) { return place.has(x); });
}

bool take(RowBudget& budget, GlobalIndex rows)
{
  if (rows > budget.left) return budget.exhausted = true, false;
  return budget.left -= rows, true;
}

/// Points strictly inside a simplex.
GlobalIndex num_inner_points(std::size_t corners, GlobalIndex n)
{
  return corners == 2 ? n - 1 : corners == 3 ? (n - 1) * (n - 2) / 2 : (n - 1) * (n - 2) / 2 * (n - 3) / 3;
}

/// Points of the row along the first edge, k steps towards the third corner and l towards the fourth.
GlobalIndex inner_points_of_row(const Place& place, std::span<const Vec3> corners, GlobalIndex n, GlobalIndex k,
                                GlobalIndex l)
{
  const auto share = [n](GlobalIndex i) { return static_cast<double>(i) / static_cast<double>(n); };
  Vec3 base = corners[0];
  if (k > 0) base += share(k) * (corners[2] - corners[0]);
  if (l > 0) base += share(l) * (corners[3] - corners[0]);
  const Row row = part_inside(place, {base, share(1) * (corners[1] - corners[0]), 1, n - k - l - 1});
  return row.last - row.first + 1;
}

/// Numbers that all of these closed ranges have.
GlobalIndex num_common(std::initializer_list<std::array<GlobalIndex, 2>> ranges)
{
  auto [first, last] = *ranges.begin();
  for (const auto& range : ranges) first = std::max(first, range[0]), last = std::min(last, range[1]);
  return std::max(GlobalIndex{0}, last - first + 1);
}

}  // namespace

bool Place::has(const Vec3& x) const
{
  return inside(where, x) && (!where.side || height_of(*where.side, x) > height);
}

bool misses(const Place& place, std::span<const Vec3> corners)
{
  const config::Selection& where = place.where;
  if (where.side && std::all_of(corners.begin(), corners.end(),
                                [&](const Vec3& x) { return height_of(*where.side, x) <= place.height; }))
    return true;
  Vec3 low = corners[0], high = corners[0];
  for (const Vec3& x : corners) low = low.cwiseMin(x), high = high.cwiseMax(x);
  const Vec3 middle = 0.5 * (low + high);
  const double half = 0.5 * (high - low).norm();
  const auto beyond = [&](double distance, double radius) {
    return distance > radius + wide_slack(radius, low, high) + half * (1 + 2e-9);
  };
  if (where.box) {
    const double wide = wide_slack((where.box->max - where.box->min).maxCoeff(), low, high);
    if ((low.array() > where.box->max.array() + wide).any() || (high.array() < where.box->min.array() - wide).any())
      return true;
  }
  if (where.sphere && beyond((middle - where.sphere->center).norm(), where.sphere->radius)) return true;
  if (!where.cylinder) return false;
  const Vec3 r = middle - where.cylinder->point, axis = where.cylinder->axis.normalized();
  return beyond((r - axis * axis.dot(r)).norm(), where.cylinder->radius);
}

GlobalIndex inner_points(const Place& place, std::span<const Vec3> corners, GlobalIndex n, RowBudget& budget)
{
  const GlobalIndex all = num_inner_points(corners.size(), n);
  if (all <= 0 || misses(place, corners)) return 0;
  if (place_contains(place, corners)) return all;
  GlobalIndex sum = 0;
  if (corners.size() == 2) return inner_points_of_row(place, corners, n, 0, 0);
  if (!take(budget, corners.size() == 3 ? n : n * n / 2)) return 0;
  for (GlobalIndex k = 1; k < n - 1; ++k) {
    if (corners.size() == 3) sum += inner_points_of_row(place, corners, n, k, 0);
    for (GlobalIndex l = 1; corners.size() == 4 && k + l < n - 1; ++l)
      sum += inner_points_of_row(place, corners, n, k, l);
  }
  return sum;
}

GlobalIndex inner_triangles(const config::Selection& where, const std::array<Vec3, 3>& corners, GlobalIndex n,
                            const TriangleHeights& heights, RowBudget& budget)
{
  const auto& [lower, upper] = std::minmax(heights.upright, heights.inverted);
  if (misses({where, lower}, corners)) return 0;
  if (place_contains({where, upper}, corners)) return n * n;
  if (!take(budget, n)) return 0;
  const auto row = [&](GlobalIndex j) -> Row {
    const double share = 1 / static_cast<double>(n);
    return {corners[0] + static_cast<double>(j) * share * (corners[2] - corners[0]), share * (corners[1] - corners[0]),
            0, n - j};
  };
  GlobalIndex sum = 0;
  Row below = part_inside({where}, row(0));
  for (GlobalIndex j = 0; j < n; ++j) {
    const Row above = part_inside({where}, row(j + 1));
    if (below.first <= below.last && above.first <= above.last) {
      const Row upright = part_above({where, heights.upright}, row(j));
      const Row inverted = part_above({where, heights.inverted}, row(j));
      sum += num_common({{below.first, below.last - 1}, {above.first, above.last}, {upright.first, upright.last}});
      sum += num_common(
          {{below.first - 1, below.last - 1}, {above.first, above.last - 1}, {inverted.first, inverted.last}});
    }
    below = above;
  }
  return sum;
}

}  // namespace sunder::simulation
