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
Motion on_path(const Body& body, double t)
{
  const auto& path = body.path;
  Motion motion;
  if (body.circle) {
    const auto& [center, axis, rate] = *body.circle;
    const Vec3 arm = Eigen::AngleAxisd(rate * t, axis) * (body.position - center);
    motion.position = center + arm, motion.velocity = rate * axis.cross(arm);
  } else if (path.empty()) {
    motion.position = body.position + t * body.velocity, motion.velocity = body.velocity;
  } else if (t < path.front().time) {
    motion.position = path.front().position;
  } else if (t >= path.back().time) {
    motion.position = path.back().position;
  } else {
    const auto next =
        std::upper_bound(path.begin(), path.end(), t, [](double time, const Waypoint& w) { return time < w.time; });
    const Waypoint &from = *(next - 1), &to = *next;
    motion.velocity = (to.position - from.position) / (to.time - from.time);
    motion.position = from.position + (t - from.time) * motion.velocity;
  }
  return motion;
}

}  // namespace

Motion motion_at(const Body& body, double t)
{
  Motion motion;
  if (body.motion == MotionKind::path)
    motion = on_path(body, t);
  else
    motion.position = body.position;
  motion.orientation = turned_by(body.rotation_angle * body.rotation_axis);
  if (body.motion == MotionKind::fixed) return motion;
  motion.spin = body.circle ? Vec3(body.circle->rate * body.circle->axis) : body.spin;
  if (body.motion == MotionKind::path) {
    motion.orientation = turned_by(t * motion.spin) * motion.orientation;
    return motion;
  }
  motion.velocity = body.velocity;
  const Mat3 axes = motion.orientation.toRotationMatrix();
  motion.angular_momentum = axes * principal_inertia(body).cwiseProduct(axes.transpose() * body.spin);
  return motion;
}

double turning_arm(const Body& body)
{
  return body.shape == Shape::box ? body.size.norm() / 2 : 0;
}

double greatest_speed(const Body& body, const Motion& motion)
{
  return motion.velocity.norm() + turning_arm(body) * motion.spin.norm();
}

Vec3 principal_inertia(const Body& body)
{
  if (body.shape == Shape::sphere) return Vec3::Constant(0.4 * body.mass * body.radius * body.radius);
  const Vec3 squares = body.size.cwiseAbs2();
  return body.mass / 12 * (Vec3::Constant(squares.sum()) - squares);
}

Vec3 spin_of(const Body& body, const Motion& motion)
{
  const Mat3 axes = motion.orientation.toRotationMatrix();
  return axes * (axes.transpose() * motion.angular_momentum).cwiseQuotient(principal_inertia(body));
}

double kinetic_energy(const Body& body, const Motion& motion)
{
  return (body.mass * motion.velocity.squaredNorm() + motion.angular_momentum.dot(motion.spin)) / 2;
}

double move_free(const Body& body, const Vec3& force, const Vec3& torque, const Vec3& gravity, double dt,
                 Motion& motion)
{
  const Vec3 velocity = motion.velocity, spin = motion.spin;
  motion.velocity += dt * (force / body.mass + gravity);
  motion.position += dt * motion.velocity;
  motion.angular_momentum += dt * torque;
  motion.spin = spin_of(body, motion);
  const double work = dt / 2 * (force.dot(velocity + motion.velocity) + torque.dot(spin + motion.spin));

  const Vec3 inertia = principal_inertia(body);
  for (const auto& [axis, share] : {std::pair{0, 0.5}, {1, 0.5}, {2, 1.0}, {1, 0.5}, {0, 0.5}}) {
    const Vec3 own = Vec3::Unit(axis);
    const double rate = (motion.orientation.conjugate() * motion.angular_momentum)[axis] / inertia[axis];
    motion.orientation = motion.orientation * turned_by(share * dt * rate * own);
  }
  motion.orientation.normalize();
  motion.spin = spin_of(body, motion);
  return work;
}

}  // namespace sunder::rigid
