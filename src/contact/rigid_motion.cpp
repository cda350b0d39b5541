#include "contact/rigid_motion.hpp"

#include <algorithm>
#include <utility>

namespace sunder::contact {
namespace {

Eigen::Quaterniond turned_by(const Vec3& rotation)
{
  const double angle = rotation.norm();
  if (angle == 0) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, rotation / angle));
}

/// Along the path; position and velocity only.
ObstacleState on_path(const Obstacle& obstacle, double t)
{
  const auto& path = obstacle.path;
  ObstacleState state;
  if (obstacle.circle) {
    const auto& [center, axis, rate] = *obstacle.circle;
    const Vec3 arm = Eigen::AngleAxisd(rate * t, axis) * (obstacle.position - center);
    state.position = center + arm, state.velocity = rate * axis.cross(arm);
  } else if (path.empty()) {
    state.position = obstacle.position + t * obstacle.velocity, state.velocity = obstacle.velocity;
  } else if (t < path.front().time) {
    state.position = path.front().position;
  } else if (t >= path.back().time) {
    state.position = path.back().position;
  } else {
    const auto next =
        std::upper_bound(path.begin(), path.end(), t, [](double time, const Waypoint& w) { return time < w.time; });
    const Waypoint &from = *(next - 1), &to = *next;
    state.velocity = (to.position - from.position) / (to.time - from.time);
    state.position = from.position + (t - from.time) * state.velocity;
  }
  return state;
}

}  // namespace

ObstacleState prescribed_state(const Obstacle& obstacle, double t)
{
  ObstacleState state;
  if (obstacle.motion == Motion::path)
    state = on_path(obstacle, t);
  else
    state.position = obstacle.position;
  state.orientation = turned_by(obstacle.rotation_angle * obstacle.rotation_axis);
  if (obstacle.motion == Motion::fixed) return state;
  state.spin = obstacle.circle ? Vec3(obstacle.circle->rate * obstacle.circle->axis) : obstacle.spin;
  if (obstacle.motion == Motion::path) {
    state.orientation = turned_by(t * state.spin) * state.orientation;
    return state;
  }
  state.velocity = obstacle.velocity;
  const Mat3 axes = state.orientation.toRotationMatrix();
  state.angular_momentum = axes * principal_inertia(obstacle).cwiseProduct(axes.transpose() * obstacle.spin);
  return state;
}

double turning_arm(const Obstacle& obstacle)
{
  return obstacle.shape == Shape::box ? obstacle.size.norm() / 2 : 0;
}

double greatest_speed(const Obstacle& obstacle, const ObstacleState& state)
{
  return state.velocity.norm() + turning_arm(obstacle) * state.spin.norm();
}

Vec3 principal_inertia(const Obstacle& obstacle)
{
  if (obstacle.shape == Shape::sphere) return Vec3::Constant(0.4 * obstacle.mass * obstacle.radius * obstacle.radius);
  const Vec3 squares = obstacle.size.cwiseAbs2();
  return obstacle.mass / 12 * (Vec3::Constant(squares.sum()) - squares);
}

Vec3 spin_of(const Obstacle& obstacle, const ObstacleState& state)
{
  const Mat3 axes = state.orientation.toRotationMatrix();
  return axes * (axes.transpose() * state.angular_momentum).cwiseQuotient(principal_inertia(obstacle));
}

double kinetic_energy(const Obstacle& obstacle, const ObstacleState& state)
{
  return (obstacle.mass * state.velocity.squaredNorm() + state.angular_momentum.dot(state.spin)) / 2;
}

double move_free(const Obstacle& obstacle, const Vec3& force, const Vec3& torque, const Vec3& gravity, double dt,
                 ObstacleState& state)
{
  const Vec3 velocity = state.velocity, spin = state.spin;
  state.velocity += dt * (force / obstacle.mass + gravity);
  state.position += dt * state.velocity;
  state.angular_momentum += dt * torque;
  state.spin = spin_of(obstacle, state);
  const double work = dt / 2 * (force.dot(velocity + state.velocity) + torque.dot(spin + state.spin));

  const Vec3 inertia = principal_inertia(obstacle);
  for (const auto& [axis, share] : {std::pair{0, 0.5}, {1, 0.5}, {2, 1.0}, {1, 0.5}, {0, 0.5}}) {
    const Vec3 own = Vec3::Unit(axis);
    const double rate = (state.orientation.conjugate() * state.angular_momentum)[axis] / inertia[axis];
    state.orientation = state.orientation * turned_by(share * dt * rate * own);
  }
  state.orientation.normalize();
  state.spin = spin_of(obstacle, state);
  return work;
}

}  // namespace sunder::contact
