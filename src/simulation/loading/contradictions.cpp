#include "simulation/loading/contradictions.hpp"

#include "core/error.hpp"
#include "simulation/loading/prescribed_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace sunder::simulation {
namespace {

using config::BoundaryCondition;

/// The motions of two conditions between two times, as long as both hold.
struct Interval {
  double begin = 0;  ///< [s]
  StepMotion a, b;
};

template <class Point>
void add_times(const std::vector<Point>& points, std::vector<double>& times)
{
  for (const Point& point : points) times.push_back(point.time);
}

void add_times(const BoundaryCondition& condition, std::vector<double>& times)
{
  add_times(condition.velocity, times), add_times(condition.displacement, times);
  if (condition.rotation) add_times(condition.rotation->rate, times), add_times(condition.rotation->angle, times);
}

/// Motions change their form at the points that conditions give. Between two, unlike ones differ in some quarter.
std::vector<Interval> common_intervals(const BoundaryCondition& a, const BoundaryCondition& b, double end)
{
  constexpr int parts = 4;
  const double last = std::min({end, a.until, b.until});
  std::vector<double> times{0, last};
  add_times(a, times), add_times(b, times);
  std::erase_if(times, [last](double t) { return t < 0 || t > last; });
  std::sort(times.begin(), times.end());
  std::vector<Interval> intervals;
  for (std::size_t k = 1; k < times.size(); ++k) {
    const double dt = (times[k] - times[k - 1]) / parts;
    if (!(dt > 0)) continue;
    for (int part = 0; part < parts; ++part) {
      const double t = times[k - 1] + part * dt;
      intervals.push_back({t, step_motion(a, t, dt), step_motion(b, t, dt)});
    }
  }
  return intervals;
}

/// Two conditions that have an axis in common.
struct Pair {
  std::uint64_t marks = 0;  ///< Of nodes that both hold.
  const BoundaryCondition *a, *b;
  std::vector<Interval> intervals;
};

std::vector<Pair> pairs_of(std::span<const BoundaryCondition> conditions, double end)
{
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < conditions.size(); ++i)
    for (std::size_t j = i + 1; j < conditions.size(); ++j) {
      const auto &a = conditions[i].axes, &b = conditions[j].axes;
      if (!((a[0] && b[0]) || (a[1] && b[1]) || (a[2] && b[2]))) continue;
      pairs.push_back({std::uint64_t{1} << i | std::uint64_t{1} << j, &conditions[i], &conditions[j],
                       common_intervals(conditions[i], conditions[j], end)});
    }
  return pairs;
}

std::optional<Failure> contradiction(const Pair& pair, const mesh::Node& node)
{
  constexpr double round_off = 1e-9;  // of velocities, which turning makes from positions and differences in time
  for (const Interval& interval : pair.intervals) {
    const Vec3 a = interval.a.velocity_of(node.X), b = interval.b.velocity_of(node.X);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<Eigen::Index>(axis);
      if (!pair.a->axes[axis] || !pair.b->axes[axis] ||
          std::abs(a[i] - b[i]) <= round_off * std::max(a.norm(), b.norm()))
        continue;
      return Failure{
          fmt::format(
              "{}: boundary.{} and boundary.{}: expected one motion along {} of node {} at ({:.4g}, {:.4g}, {:.4g}) m, "
              "got two from t = {:.4g} s: {:.4g} and {:.4g} m/s; leave that axis, or the place, to one of them",
              pair.b->where.key, pair.a->name, pair.b->name, "xyz"[axis], node.id.low, node.X.x(), node.X.y(),
              node.X.z(), interval.begin, a[i], b[i]),
          node.id.low};
    }
  }
  return std::nullopt;
}

}  // namespace

void refuse_contradictions(const Comm& comm, std::span<const config::BoundaryCondition> conditions,
                           const mesh::TetMesh& mesh, double end)
{
  const std::vector<Pair> pairs = pairs_of(conditions, end);
  if (pairs.empty()) return;
  std::optional<Failure> first;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    for (const Pair& pair : pairs)
      if (mesh.owned(n) && (mesh.node(n).marks & pair.marks) == pair.marks)
        if (auto found = contradiction(pair, mesh.node(n))) note(first, *std::move(found));
  throw_on_all(comm, first);
}

}  // namespace sunder::simulation
