#include "rigid/motion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder::rigid {
namespace {

Eigen::Quaterniond turned_by(const Vec3& rotation)
{
  const double angle = rotation.norm();
  if (angle == 0) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, rotation / angle));
}

bool is_round(const Body& body)
{
  return body.shape == Shape::cylinder || body.shape == Shape::capsule;
}

Eigen::Quaterniond z_turned_to(const Vec3& axis)
{
  const Vec3 across = Vec3::UnitZ().cross(axis);
  const double sine = across.norm();
  return turned_by(std::atan2(sine, axis.z()) * (sine > 0 ? Vec3(across / sine) : Vec3(Vec3::UnitX())));
}

Eigen::Quaterniond orientation_at_start(const Body& body)
{
  if (is_round(body)) return z_turned_to(body.axis);
  const Eigen::Quaterniond given = turned_by(body.rotation_angle * body.rotation_axis);
  return body.shape == Shape::mesh ? Eigen::Quaterniond(given * Eigen::Quaterniond(body.surface->axes())) : given;
}

Vec3 inertia_of_capsule(const Body& body)
{
  const double r = body.radius, l = body.length, ends = 4 * r / (4 * r + 3 * l);  // share of the mass
  const double middle = 1 - ends;
  const double along = middle * r * r / 2 + ends * 0.4 * r * r;
  const double across = middle * (l * l / 12 + r * r / 4) + ends * (0.4 * r * r + l * l / 4 + 3 * l * r / 8);
  return body.mass * Vec3(across, across, along);
}

/// Along the path; position and velocity only.
Motion on_path(const Body& body, double t)
{
  const auto& path = body.path;
  Motion motion;
  if (body.circle) {
    const auto& [center, axis, rate] = *body.circle;
    const Vec3 arm = Eigen::AngleAxisd(rate * t, axis) * (centre_at_start(body) - center);
    motion.position = center + arm, motion.velocity = rate * axis.cross(arm);
  } else if (path.empty()) {
    motion.position = centre_at_start(body) + t * body.velocity, motion.velocity = body.velocity;
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
  if (!path.empty() && body.shape == Shape::mesh) motion.position += centre_at_start(body) - body.position;
  return motion;
}

}  // namespace

Vec3 centre_at_start(const Body& body)
{
  if (body.shape != Shape::mesh) return body.position;
  return body.position + turned_by(body.rotation_angle * body.rotation_axis) * body.surface->centre();
}

Motion motion_at(const Body& body, double t)
{
  Motion motion;
  if (body.motion == MotionKind::path)
    motion = on_path(body, t);
  else
    motion.position = centre_at_start(body);
  motion.orientation = orientation_at_start(body);
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
  switch (body.shape) {
    case Shape::box:
      return body.size.norm() / 2;
    case Shape::cylinder:
      return std::hypot(body.radius, body.length / 2);
    case Shape::capsule:
      return body.length / 2;
    case Shape::mesh:
      return body.surface->radius();
    case Shape::half_space:
    case Shape::sphere:
      break;
  }
  return 0;
}

double angle_between(const Body& body, const Motion& a, const Motion& b)
{
  if (!is_round(body)) return a.orientation.angularDistance(b.orientation);
  const Vec3 one = a.orientation * Vec3::UnitZ(), other = b.orientation * Vec3::UnitZ();
  return std::atan2(one.cross(other).norm(), one.dot(other));
}

double greatest_speed(const Body& body, const Motion& motion)
{
  const double spin =
      is_round(body) ? (motion.orientation * Vec3::UnitZ()).cross(motion.spin).norm() : motion.spin.norm();
  return motion.velocity.norm() + turning_arm(body) * spin;
}

Vec3 principal_inertia(const Body& body)
{
  const double r = body.radius, l = body.length;
  if (body.shape == Shape::sphere) return Vec3::Constant(0.4 * body.mass * r * r);
  if (body.shape == Shape::cylinder) return body.mass / 12 * Vec3(3 * r * r + l * l, 3 * r * r + l * l, 6 * r * r);
  if (body.shape == Shape::capsule) return inertia_of_capsule(body);
  if (body.shape == Shape::mesh) return body.mass * body.surface->inertia();
  const Vec3 squares = body.size.cwiseAbs2();
  return body.mass / 12 * (Vec3::Constant(squares.sum()) - squares);
}

Vec3 spin_of(const Inertia& inertia, const Motion& motion)
{
  const Mat3 axes = motion.orientation.toRotationMatrix() * inertia.axes;
  return axes * (axes.transpose() * motion.angular_momentum).cwiseQuotient(inertia.moments);
}

Mat3 inverse_inertia(const Inertia& inertia, const Motion& motion)
{
  const Mat3 axes = motion.orientation.toRotationMatrix() * inertia.axes;
  return axes * inertia.moments.cwiseInverse().asDiagonal() * axes.transpose();
}

double kinetic_energy(const Inertia& inertia, const Motion& motion)
{
  return (inertia.mass * motion.velocity.squaredNorm() + motion.angular_momentum.dot(motion.spin)) / 2;
}

Vec3 spin_of(const Body& body, const Motion& motion)
{
  return spin_of(inertia_of(body), motion);
}

double kinetic_energy(const Body& body, const Motion& motion)
{
  return kinetic_energy(inertia_of(body), motion);
}

double kick_free(const Body& body, const Vec3& force, const Vec3& torque, const Vec3& gravity, double dt,
                 Motion& motion)
{
  const Vec3 velocity = motion.velocity, spin = motion.spin;
  motion.velocity += dt * (force / body.mass + gravity);
  motion.angular_momentum += dt * torque;
  motion.spin = spin_of(body, motion);
  return dt / 2 * (force.dot(velocity + motion.velocity) + torque.dot(spin + motion.spin));
}

namespace {

/// Second order in dt.
void turn_freely(const Inertia& inertia, double dt, Motion& motion)
{
  for (const auto& [axis, share] : {std::pair{0, 0.5}, {1, 0.5}, {2, 1.0}, {1, 0.5}, {0, 0.5}}) {
    const Vec3 own = inertia.axes.col(axis);
    const double rate = own.dot(motion.orientation.conjugate() * motion.angular_momentum) / inertia.moments[axis];
    motion.orientation = motion.orientation * turned_by(share * dt * rate * own);
  }
  motion.orientation.normalize();
}

}  // namespace

void drift(const Inertia& inertia, double dt, Motion& motion)
{
  motion.position += dt * motion.velocity;
  constexpr double small = 1e-3, longest = 0.05;  // angles [rad]
  const double angle = std::abs(dt) * motion.spin.norm();
  if (angle <= small) {
    turn_freely(inertia, dt, motion);
  } else {
    const int turns = static_cast<int>(std::ceil(angle / longest));
    const double h = dt / turns, outer = 1 / (2 - std::cbrt(2.0));
    for (int k = 0; k < turns; ++k)
      for (const double share : {outer, 1 - 2 * outer, outer}) turn_freely(inertia, share * h, motion);
  }
  motion.spin = spin_of(inertia, motion);
}

void turn(const Vec3& rotation, Motion& motion)
{
  motion.orientation = (turned_by(rotation) * motion.orientation).normalized();
}

void drift_free(const Body& body, double dt, Motion& motion)
{
  drift(inertia_of(body), dt, motion);
}

double move_free(const Body& body, const Vec3& force, const Vec3& torque, const Vec3& gravity, double dt,
                 Motion& motion)
{
  const double work = kick_free(body, force, torque, gravity, dt, motion);
  drift_free(body, dt, motion);
  return work;
}

}  // namespace sunder::rigid
