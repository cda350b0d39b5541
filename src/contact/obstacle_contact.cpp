#include "contact/obstacle_contact.hpp"

#include "contact/overlap.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

Overlap overlap(const Obstacle& obstacle, const ObstacleState& state, const Mat34& p)
{
  return obstacle.shape == Shape::sphere ? overlap_ball(p, state.position, obstacle.radius)
                                         : overlap_half_space(p, state.position, obstacle.normal);
}

/// Coulomb's coefficient at a sliding speed: a straight rise to the static one at slip_speed, from where it falls to the
/// dynamic one at twice that speed. Continuous, so that a block at rest does not chatter.
double friction_coefficient(const Response& r, double speed)
{
  if (speed < r.slip_speed) return r.friction_static * speed / r.slip_speed;
  if (speed > 2 * r.slip_speed) return r.friction_dynamic;
  const double s = speed / r.slip_speed - 1;
  return (1 - s) * r.friction_static + s * r.friction_dynamic;
}

Mat34 gather(std::span<const Row4> rows, const Tet& tet)
{
  Mat34 columns;
  for (int a = 0; a < 4; ++a) columns.col(a) = rows[static_cast<std::size_t>(tet[static_cast<std::size_t>(a)])].xyz();
  return columns;
}

/// Is the element's box within margin of the obstacle?
bool may_touch(const Obstacle& obstacle, const ObstacleState& state, const Mat34& p, double margin)
{
  if (obstacle.shape == Shape::half_space)
    return ((p.colwise() - state.position).transpose() * obstacle.normal).minCoeff() < margin;
  const Vec3 low = p.rowwise().minCoeff(), high = p.rowwise().maxCoeff();
  const Vec3 nearest = state.position.cwiseMax(low).cwiseMin(high);
  return (nearest - state.position).norm() < obstacle.radius + margin;
}

double largest_extent(const Mat34& p) { return (p.rowwise().maxCoeff() - p.rowwise().minCoeff()).maxCoeff(); }

}  // namespace

ObstacleState prescribed_state(const Obstacle& obstacle, double t)
{
  if (obstacle.motion != Motion::path)
    return {obstacle.position, obstacle.motion == Motion::free ? obstacle.velocity : Vec3::Zero()};
  const auto& path = obstacle.path;
  if (path.empty()) return {obstacle.position + t * obstacle.velocity, obstacle.velocity};
  const auto after = std::upper_bound(path.begin(), path.end(), t, [](double x, const Waypoint& w) { return x < w.time; });
  if (after == path.begin()) return {path.front().position, Vec3::Zero()};
  if (after == path.end()) return {path.back().position, Vec3::Zero()};
  const auto before = after - 1;
  const Vec3 velocity = (after->position - before->position) / (after->time - before->time);
  return {before->position + (t - before->time) * velocity, velocity};
}

ElementContact element_contact(const Obstacle& obstacle, const ObstacleState& state, const Mat34& p, const Mat34& v)
{
  const Overlap common = overlap(obstacle, state, p);
  if (common.volume == 0) return {};
  const Eigen::Vector4d shares = barycentric(p, common.centre);
  const Vec3 relative = v * shares - state.velocity;
  const double apart = relative.dot(common.out);
  const Vec3 sliding = relative - apart * common.out;

  // T 5.7-5.9; contact pushes and never pulls.
  const Response& r = obstacle.response;
  const double normal = std::max(0.0, common.volume * (r.stiffness - r.damping * apart));
  Vec3 force = normal * common.out;
  if (const double speed = sliding.norm(); speed > 0)
    force -= friction_coefficient(r, speed) * normal / speed * sliding;  // Coulomb: T 5.10 with |w| taken out
  return {force * shares.transpose(), common.volume};
}

ObstacleContact::ObstacleContact(std::vector<Obstacle> obstacles) : obstacles_(std::move(obstacles)) {}

void ObstacleContact::mesh_changed() noexcept { margin_left_ = -1; }

void ObstacleContact::find_candidates(std::span<const Tet> tets, std::span<const Row4> p,
                                      std::span<const ObstacleState> states)
{
  candidates_.clear();
  double extent = 0;
  for (const Tet& tet : tets) extent = std::max(extent, largest_extent(gather(p, tet)));
  margin_left_ = 0.2 * extent;
  for (std::size_t e = 0; e < tets.size(); ++e) {
    if (tets[e][0] == tets[e][1]) continue;  // an empty slot
    const Mat34 x = gather(p, tets[e]);
    for (std::size_t k = 0; k < obstacles_.size(); ++k)
      if (may_touch(obstacles_[k], states[k], x, margin_left_))
        candidates_.emplace_back(static_cast<LocalIndex>(e), static_cast<std::uint16_t>(k));
  }
}

double ObstacleContact::add_forces(std::span<const Tet> tets, std::span<const std::uint8_t> counted,
                                   std::span<const Row4> p, std::span<const Row4> v, double max_speed, double dt,
                                   std::span<const ObstacleState> states, std::span<Row4> f,
                                   std::span<ReproducibleSum3> on_obstacle)
{
  if (obstacles_.empty()) return 0;
  if (!(margin_left_ > 0)) find_candidates(tets, p, states);
  double fastest = 0;
  for (const ObstacleState& state : states) fastest = std::max(fastest, state.velocity.norm());

  double power = 0;
  for (const auto& [e, k] : candidates_) {
    const auto slot = static_cast<std::size_t>(e);
    const Tet& tet = tets[slot];
    const Mat34 velocities = gather(v, tet);
    const ElementContact contact = element_contact(obstacles_[k], states[k], gather(p, tet), velocities);
    if (contact.overlap == 0) continue;
    for (int a = 0; a < 4; ++a) {
      Row4& row = f[static_cast<std::size_t>(tet[static_cast<std::size_t>(a)])];
      row.x += contact.forces(0, a), row.y += contact.forces(1, a), row.z += contact.forces(2, a);
    }
    if (!counted[slot]) continue;
    on_obstacle[k].add(-contact.forces.rowwise().sum());
    power += contact.forces.cwiseProduct(velocities).sum();
  }
  // Everything may have come this much nearer by the next call; twice, because speeds change within the step.
  margin_left_ -= 2 * (max_speed + fastest) * dt;
  return power;
}

}  // namespace sunder::contact
