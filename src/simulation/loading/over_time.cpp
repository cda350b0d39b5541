#include "simulation/loading/over_time.hpp"

namespace sunder::simulation {

namespace {

/// From a point to time t, which is not after the next.
double integral_between(const config::NumberPoint& from, const config::NumberPoint& to, double t)
{
  const double length = to.time - from.time, s = (t - from.time) / length;
  if (!to.smooth) return (t - from.time) * 0.5 * (from.value + ((1 - s) * from.value + s * to.value));
  return length * (s * from.value + s * s * s * s * (2.5 + s * (s - 3)) * (to.value - from.value));
}

}  // namespace

double integral(const std::vector<config::NumberPoint>& points, double t)
{
  double sum = std::min(t, points.front().time) * points.front().value;
  for (std::size_t k = 1; k < points.size() && points[k - 1].time < t; ++k)
    sum += integral_between(points[k - 1], points[k], std::min(t, points[k].time));
  return sum + std::max(0.0, t - points.back().time) * points.back().value;
}

}  // namespace sunder::simulation
