#include "simulation/loading/prescribed_motion.hpp"

#include "simulation/loading/over_time.hpp"

#include <algorithm>
#include <limits>

namespace sunder::simulation {
namespace {

Mat3 rotation_at(const config::Rotation& rotation, double t)
{
  const double angle = rotation.rate.empty() ? at_time(rotation.angle, t) : integral(rotation.rate, t);
  return Eigen::AngleAxisd(angle, rotation.axis).toRotationMatrix();
}

}  // namespace

bool holds_at(const config::BoundaryCondition& condition, double t)
{
  return t < condition.until;
}

double next_release(const std::vector<config::BoundaryCondition>& conditions, double t)
{
  double next = std::numeric_limits<double>::infinity();
  for (const auto& condition : conditions)
    if (holds_at(condition, t)) next = std::min(next, condition.until);
  return next;
}

StepMotion step_motion(const config::BoundaryCondition& condition, double t, double dt)
{
  StepMotion motion;
  if (!condition.velocity.empty()) motion.velocity = at_time(condition.velocity, t + dt / 2);
  if (!condition.displacement.empty())
    motion.velocity = (at_time(condition.displacement, t + dt) - at_time(condition.displacement, t)) / dt;
  if (condition.rotation) {
    motion.turns = true, motion.center = condition.rotation->center;
    motion.turning = (rotation_at(*condition.rotation, t + dt) - rotation_at(*condition.rotation, t)) / dt;
  }
  return motion;
}

PrescribedMotion::PrescribedMotion(std::vector<config::BoundaryCondition> conditions, const mesh::TetMesh& mesh)
  : conditions_(std::move(conditions)), motions_(conditions_.size())
{
  find_held_nodes(mesh);
}

void PrescribedMotion::find_held_nodes(const mesh::TetMesh& mesh)
{
  held_.clear();
  if (conditions_.empty()) return;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n) && mesh.node(n).marks != 0) held_.push_back({n, {}, {}});
}

std::array<bool, 3> PrescribedMotion::held_axes(std::uint64_t marks, double t) const
{
  std::array<bool, 3> held{};
  for (std::size_t k = 0; k < conditions_.size(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis)
      held[axis] = held[axis] || ((marks >> k & 1u) && conditions_[k].axes[axis] && holds_at(conditions_[k], t));
  return held;
}

double PrescribedMotion::work_ahead(const element::Model& model, const Vec3& gravity, double half, double t) const
{
  double work = 0;
  for (const Held& h : held_) {
    const auto n = static_cast<std::size_t>(h.node);
    const mesh::Node& node = model.mesh.node(h.node);
    const auto held = held_axes(node.marks, t);
    const Vec3 v = model.v[n].xyz(), force = model.f[n].xyz() + model.mass[n] * gravity;
    for (int axis = 0; axis < 3; ++axis)
      if (held[static_cast<std::size_t>(axis)]) work -= half * v[axis] * force[axis];
  }
  return work;
}

void PrescribedMotion::before_step(const element::Model& model)
{
  for (Held& h : held_)
    h.p = model.p[static_cast<std::size_t>(h.node)], h.v = model.v[static_cast<std::size_t>(h.node)];
}

double PrescribedMotion::after_step(element::Model& model, double t, double dt, std::span<Impulse> impulses)
{
  double fastest = 0;
  for (std::size_t k = 0; k < conditions_.size(); ++k) motions_[k] = step_motion(conditions_[k], t, dt);
  for (const Held& h : held_) {
    const auto n = static_cast<std::size_t>(h.node);
    const mesh::Node& node = model.mesh.node(h.node);
    Vec3 p = model.p[n].xyz(), v = model.v[n].xyz();
    const Vec3 free = v;
    std::array<std::size_t, 3> decided_by{};  // of the held axes
    for (std::size_t k = 0; k < conditions_.size(); ++k) {
      if (!(node.marks >> k & 1u) || !holds_at(conditions_[k], t)) continue;
      const Vec3 prescribed = motions_[k].velocity_of(node.X);
      for (int axis = 0; axis < 3; ++axis)
        if (conditions_[k].axes[static_cast<std::size_t>(axis)]) {
          v[axis] = prescribed[axis];
          decided_by[static_cast<std::size_t>(axis)] = k;
          p[axis] = h.p.xyz()[axis] + dt * v[axis];
        }
    }
    model.p[n].set_xyz(p), model.v[n].set_xyz(v);
    for (int axis = 0; axis < 3; ++axis)
      if (v[axis] != free[axis])
        impulses[decided_by[static_cast<std::size_t>(axis)]].add(
            model.mass[n] * (v[axis] - free[axis]) * Vec3::Unit(axis), h.p.xyz());
    fastest = std::max(fastest, v.norm());
    work_ += model.mass[n] * (v - free).dot(0.5 * (v + h.v.xyz()));
  }
  return fastest;
}

}  // namespace sunder::simulation
