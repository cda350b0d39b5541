#pragma once
/// Functions of time that a scene gives by points.

#include "config/scene.hpp"

#include <algorithm>

namespace sunder::simulation {

/// Local. Where a function is between two points, from 0 to 1, at the share s of the time between them.
inline double progress(double s, bool smooth)
{
  return smooth ? s * s * s * (10 + s * (6 * s - 15)) : s;
}

/// Local. Between points (at least one, ascending in time) linear or smooth, constant outside. Along a path of
/// equilibria loads may turn round, to times before 0: a function has there gone the other way from where it is at 0.
template <class Point>
auto at_time(const std::vector<Point>& points, double t) -> decltype(Point::value)
{
  using Value = decltype(Point::value);
  if (t < 0) return Value(2 * at_time(points, 0) - at_time(points, -t));
  const auto after =
      std::upper_bound(points.begin(), points.end(), t, [](double x, const Point& p) { return x < p.time; });
  if (after == points.begin()) return points.front().value;
  if (after == points.end()) return points.back().value;
  const auto before = after - 1;
  const double s = progress((t - before->time) / (after->time - before->time), after->smooth);
  return Value((1 - s) * before->value + s * after->value);
}

/// Local. Its integral from 0 to t.
double integral(const std::vector<config::NumberPoint>& points, double t);

}  // namespace sunder::simulation
