#pragma once
/// Functions of time that a scene gives by points.

#include "config/scene.hpp"

#include <algorithm>

namespace sunder::simulation {

/// Local. Linear between points (at least one, ascending in time), constant outside.
template <class Point>
auto at_time(const std::vector<Point>& points, double t)
{
  using Value = decltype(Point::value);
  const auto after =
      std::upper_bound(points.begin(), points.end(), t, [](double x, const Point& p) { return x < p.time; });
  if (after == points.begin()) return points.front().value;
  if (after == points.end()) return points.back().value;
  const auto before = after - 1;
  const double s = (t - before->time) / (after->time - before->time);
  return Value((1 - s) * before->value + s * after->value);
}

/// Local. Its integral from 0 to t.
double integral(const std::vector<config::NumberPoint>& points, double t);

}  // namespace sunder::simulation
