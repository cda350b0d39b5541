#include "simulation/loading/over_time.hpp"

namespace sunder::simulation {

double integral(const std::vector<config::NumberPoint>& points, double t)
{
  double sum = std::min(t, points.front().time) * points.front().value;
  for (std::size_t k = 1; k < points.size() && points[k - 1].time < t; ++k) {
    const double end = std::min(t, points[k].time);
    sum += (end - points[k - 1].time) * 0.5 * (points[k - 1].value + at_time(points, end));
  }
  return sum + std::max(0.0, t - points.back().time) * points.back().value;
}

}  // namespace sunder::simulation
