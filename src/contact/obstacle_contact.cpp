#include "contact/obstacle_contact.hpp"

#include "contact/box.hpp"
#include "contact/corners.hpp"
#include "contact/node_contact.hpp"
#include "contact/overlap.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::contact {
namespace {

/// Where what has been swallowed goes: out of the sphere along the radius, out of the box to its nearest faces (up the
/// slope of sum log(half_size^2 - x^2), which is zero in the middle). At most a unit vector.
Vec3 outward(const Obstacle& obstacle, const ObstacleState& state, const Vec3& x)
{
  const Vec3 from_centre = x - state.position;
  if (obstacle.shape == Shape::sphere) return from_centre / obstacle.radius;
  const Vec3 half = obstacle.size / 2, local = state.orientation.conjugate() * from_centre;
  const Vec3 room = (half.cwiseAbs2() - local.cwiseAbs2()).cwiseMax(1e-12 * half.squaredNorm());
  const Vec3 slope = half.minCoeff() * local.cwiseQuotient(room);
  return state.orientation * (slope / std::max(1.0, slope.norm()));
}

/// Unit vector out of the obstacle, see element_contact(). Shorter than 1 only next to its centre.
Vec3 way_out(const Overlap& overlap, const Obstacle& obstacle, const ObstacleState& state)
{
  constexpr double least_share = 0.05;  // of volume^(2/3): surfaces smaller than this no longer decide alone
  constexpr double fade = 1e-3;         // of outward(): nearer to the centre than this, the force fades out
  if (obstacle.shape == Shape::half_space) return obstacle.normal;
  const double area = overlap.area.norm();
  const double scale = std::cbrt(overlap.volume * overlap.volume);
  const double missing = std::max(0.0, least_share * scale - area);
  if (missing == 0) return overlap.area / area;
  const Vec3 direction = overlap.area + missing * outward(obstacle, state, overlap.centre);
  return direction / std::max(direction.norm(), fade * least_share * scale);
}

Overlap overlap_of(const Obstacle& obstacle, const ObstacleState& state, const Mat34& p)
{
  switch (obstacle.shape) {
    case Shape::half_space:
      return overlap_half_space(p, state.position, obstacle.normal);
    case Shape::box:
      return overlap_box(p, state.position, state.orientation.toRotationMatrix(), obstacle.size / 2);
    case Shape::sphere:
      break;
  }
  return overlap_sphere(p, state.position, obstacle.radius);
}

/// At most the distance between obstacle and box; never positive if they meet.
double gap(const Obstacle& obstacle, const ObstacleState& state, const Box& box)
{
  const Vec3 half = (box.high - box.low) / 2, away = box.low + half - state.position;
  if (obstacle.shape == Shape::half_space) return obstacle.normal.dot(away) - obstacle.normal.cwiseAbs().dot(half);
  if (obstacle.shape == Shape::box) {  // along the axes of either
    const Mat3 axes = state.orientation.toRotationMatrix(), reach = axes.cwiseAbs();
    const Vec3 size = obstacle.size / 2;
    const Vec3 along_its = (axes.transpose() * away).cwiseAbs() - size - reach.transpose() * half;
    const Vec3 along_ours = away.cwiseAbs() - half - reach * size;
    return std::max(along_its.maxCoeff(), along_ours.maxCoeff());
  }
  const Vec3 beside = (box.low - state.position).cwiseMax(state.position - box.high).cwiseMax(0);
  return beside.norm() - obstacle.radius;
}

bool empty_slot(const Tet& tet)
{
  return tet[0] == tet[1] && tet[1] == tet[2] && tet[2] == tet[3];
}

Box box_around(const Mat34& p)
{
  return {p.rowwise().minCoeff(), p.rowwise().maxCoeff()};
}

/// Median of the box diagonals of a few dozen elements, spread over the list. Zero if there are none.
double typical_size(std::span<const Tet> tets, std::span<const Row4> p)
{
  constexpr std::size_t most = 33;
  std::array<double, most> sizes{};
  std::size_t count = 0;
  const std::size_t stride = std::max<std::size_t>(1, tets.size() / (most - 1));
  for (std::size_t e = 0; e < tets.size() && count < most; e += stride) {
    if (empty_slot(tets[e])) continue;
    const Box box = box_around(corners_of(tets[e], p));
    const double size = (box.high - box.low).norm();
    if (std::isfinite(size)) sizes[count++] = size;
  }
  if (count == 0) return 0;
  std::sort(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count));
  return sizes[count / 2];
}

}  // namespace

ElementContact element_contact(const Obstacle& obstacle, const ObstacleState& state, const Mat34& p, const Mat34& v)
{
  const Overlap overlap = overlap_of(obstacle, state, p);
  ElementContact contact;
  if (!(overlap.volume > 0)) return contact;
  const Vec3 lever = overlap.centre - state.position;
  const Vec3 relative = v * overlap.weights - state.velocity - state.spin.cross(lever);
  const Vec3 force = response(obstacle.response, overlap.volume, way_out(overlap, obstacle, state), relative);
  contact.forces = force * overlap.weights.transpose();
  contact.torque = -lever.cross(force);
  contact.overlap = overlap.volume;
  return contact;
}

Interpenetration sunk(std::span<const Vec3> nodes, std::span<const std::array<GlobalIndex, 4>> tets,
                      const Obstacle& obstacle, const ObstacleState& state)
{
  Interpenetration shared;
  for (const auto& tet : tets) {
    Mat34 p;
    for (std::size_t a = 0; a < 4; ++a) p.col(static_cast<int>(a)) = nodes[static_cast<std::size_t>(tet[a])];
    if (gap(obstacle, state, box_around(p)) > 0) continue;
    const Overlap overlap = overlap_of(obstacle, state, p);
    shared.volume += overlap.volume;
    shared.area += overlap.area;
    shared.centre += overlap.volume * overlap.centre;
  }
  if (shared.volume > 0) shared.centre /= shared.volume;
  return shared;
}

ObstacleContact::ObstacleContact(std::vector<Obstacle> obstacles, Criterion criterion)
  : obstacles_(std::move(obstacles)), criterion_(criterion)
{
  if (obstacles_.size() > std::numeric_limits<std::uint16_t>::max())
    throw AgreedError("obstacles: expected at most 65535, got " + std::to_string(obstacles_.size()));
  last_states_.resize(obstacles_.size());
}

void ObstacleContact::mesh_changed() noexcept
{
  margin_left_ = -1;
}

double ObstacleContact::obstacle_motion(std::span<const ObstacleState> states) const
{
  double furthest = 0;
  for (std::size_t k = 0; k < states.size(); ++k)
    furthest = std::max(
        furthest, (states[k].position - last_states_[k].position).norm() +
                      turning_arm(obstacles_[k]) * states[k].orientation.angularDistance(last_states_[k].orientation));
  return furthest;
}

void ObstacleContact::find_candidates(std::span<const Tet> tets, std::span<const Row4> p,
                                      std::span<const ObstacleState> states)
{
  candidates_.clear();
  for (std::size_t e = 0; e < tets.size(); ++e) {
    if (empty_slot(tets[e])) continue;
    const Box box = box_around(corners_of(tets[e], p));
    for (std::size_t k = 0; k < obstacles_.size(); ++k)
      if (!(gap(obstacles_[k], states[k], box) > margin_))
        candidates_.emplace_back(static_cast<LocalIndex>(e), static_cast<std::uint16_t>(k));
  }
}

void ObstacleContact::keep_or_find_candidates(std::span<const Tet> tets, std::span<const Row4> p, double max_speed,
                                              double dt, std::span<const ObstacleState> states)
{
  if (margin_left_ >= 0) margin_left_ -= last_dt_ * std::max(last_speed_, max_speed) + obstacle_motion(states);
  // A hundredth is kept for round-off of the gaps and of this sum.
  if (!(margin_left_ > 0.01 * margin_)) {
    constexpr double steps_to_last = 100;
    double fastest_obstacle = 0;
    for (std::size_t k = 0; k < states.size(); ++k)
      fastest_obstacle = std::max(fastest_obstacle, greatest_speed(obstacles_[k], states[k]));
    const double size = typical_size(tets, p);
    margin_ = std::clamp(steps_to_last * dt * (max_speed + fastest_obstacle), 0.1 * size, 2 * size);
    find_candidates(tets, p, states);
    margin_left_ = margin_;
  }
  last_speed_ = max_speed, last_dt_ = dt;
  last_states_.assign(states.begin(), states.end());
}

double ObstacleContact::add_forces(std::span<const Tet> tets, std::span<const std::uint8_t> counted,
                                   std::span<const Row4> p, std::span<const Row4> v, double max_speed, double dt,
                                   std::span<const ObstacleState> states, std::span<Row4> f, Reactions& reactions)
{
  applied_.clear();
  if (obstacles_.empty()) return 0;
  SUNDER_ASSERT(states.size() == obstacles_.size());
  SUNDER_ASSERT(counted.size() == tets.size());
  keep_or_find_candidates(tets, p, max_speed, dt, states);
  const auto kernel = criterion_ == Criterion::nodes ? element_contact_by_nodes : element_contact;
  for (const auto& [e, k] : candidates_) {
    const auto slot = static_cast<std::size_t>(e);
    const Mat34 positions = corners_of(tets[slot], p), velocities = corners_of(tets[slot], v);
    const ElementContact contact = kernel(obstacles_[k], states[k], positions, velocities);
    if (contact.overlap == 0) continue;
    for (std::size_t a = 0; a < 4; ++a) {
      Row4& row = f[static_cast<std::size_t>(tets[slot][a])];
      const auto force = contact.forces.col(static_cast<int>(a));
      row.x += force.x(), row.y += force.y(), row.z += force.z();
    }
    if (counted[slot] == 0) continue;
    reactions.add(k, -contact.forces.rowwise().sum(), contact.torque);
    for (std::size_t a = 0; a < 4; ++a) applied_.emplace_back(tets[slot][a], contact.forces.col(static_cast<int>(a)));
  }
  return power(v);
}

double ObstacleContact::power(std::span<const Row4> v) const
{
  double sum = 0;
  for (const auto& [n, force] : applied_) sum += force.dot(v[static_cast<std::size_t>(n)].xyz());
  return sum;
}

}  // namespace sunder::contact
