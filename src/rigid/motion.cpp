#include "rigid/motion.hpp"

#include <algorithm>
#include <utility>

namespace sunder::rigid {
namespace {

Eigen::Quaterniond turned_by(const Vec3& rotation)
{
  const double angle = rotation.norm();
  if (angle == 0) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, rotation / angle));
}

/// Along the path; position and velocity only.
State on_path(const Body& body, double t)
{
  const auto& path = body.path;
  State state;
  if (body.circle) {
    const auto& [center, axis, rate] = *body.circle;
    const Vec3 arm = Eigen::AngleAxisd(rate * t, axis) * (body.position - center);
    state.position = center + arm, state.velocity = rate * axis.cross(arm);
  } else if (path.empty()) {
    state.position = body.position + t * body.velocity, state.velocity = body.velocity;
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

State prescribed_state(const Body& body, double t)
{
  State state;
  if (body.motion == Motion::path)
    state = on_path(body, t);
  else
    state.position = body.position;
  state.orientation = turned_by(body.rotation_angle * body.rotation_axis);
  if (body.motion == Motion::fixed) return state;
  state.spin = body.circle ? Vec3(body.circle->rate * body.circle->axis) : body.spin;
  if (body.motion == Motion::path) {
    state.orientation = turned_by(t * state.spin) * state.orientation;
    return state;
  }
  state.velocity = body.velocity;
  const Mat3 axes = state.orientation.toRotationMatrix();
  state.angular_momentum = axes * principal_inertia(body).cwiseProduct(axes.transpose() * body.spin);
  return state;
}

double turning_arm(const Body& body)
{
  return body.shape == Shape::box ? body.size.norm() / 2 : 0;
}

double greatest_speed(const Body& body, const State& state)
{
  return state.velocity.norm() + turning_arm(body) * state.spin.norm();
}

Vec3 principal_inertia(const Body& body)
{
  if (body.shape == Shape::sphere) return Vec3::Constant(0.4 * body.mass * body.radius * body.radius);
  const Vec3 squares = body.size.cwiseAbs2();
  return body.mass / 12 * (Vec3::Constant(squares.sum()) - squares);
}

Vec3 spin_of(const Body& body, const State& state)
{
  const Mat3 axes = state.orientation.toRotationMatrix();
  return axes * (axes.transpose() * state.angular_momentum).cwiseQuotient(principal_inertia(body));
}

double kinetic_energy(const Body& body, const State& state)
{
  return (body.mass * state.velocity.squaredNorm() + state.angular_momentum.dot(state.spin)) / 2;
}

double move_free(const Body& body, const Vec3& force, const Vec3& torque, const Vec3& gravity, double dt, State& state)
{
  const Vec3 velocity = state.velocity, spin = state.spin;
  state.velocity += dt * (force / body.mass + gravity);
  state.position += dt * state.velocity;
  state.angular_momentum += dt * torque;
  state.spin = spin_of(body, state);
  const double work = dt / 2 * (force.dot(velocity + state.velocity) + torque.dot(spin + state.spin));

  const Vec3 inertia = principal_inertia(body);
  for (const auto& [axis, share] : {std::pair{0, 0.5}, {1, 0.5}, {2, 1.0}, {1, 0.5}, {0, 0.5}}) {
    const Vec3 own = Vec3::Unit(axis);
    const double rate = (state.orientation.conjugate() * state.angular_momentum)[axis] / inertia[axis];
    state.orientation = state.orientation * turned_by(share * dt * rate * own);
  }
  state.orientation.normalize();
  state.spin = spin_of(body, state);
  return work;
}

}  // namespace sunder::rigid
