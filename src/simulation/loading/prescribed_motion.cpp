#include "simulation/loading/prescribed_motion.hpp"

#include "simulation/loading/over_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::simulation {
namespace {

Mat3 rotation_at(const config::Rotation& rotation, double t)
{
  const double angle = rotation.rate.empty() ? at_time(rotation.angle, t) : integral(rotation.rate, t);
  return Eigen::AngleAxisd(angle, rotation.axis).toRotationMatrix();
}

/// Each axis' share to the condition that decides it, which is mostly one for all three.
void add_impulse(const Vec3& impulse, const std::array<int, 3>& condition, const Vec3& at, std::span<Impulse> impulses)
{
  if (condition[0] == condition[1] && condition[1] == condition[2])
    return impulses[static_cast<std::size_t>(condition[0])].add(impulse, at);
  for (int axis = 0; axis < 3; ++axis)
    if (const int k = condition[static_cast<std::size_t>(axis)]; k >= 0)
      impulses[static_cast<std::size_t>(k)].add(impulse[axis] * Vec3::Unit(axis), at);
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
  find_prescribed_nodes(mesh);
}

void PrescribedMotion::find_prescribed_nodes(const mesh::TetMesh& mesh)
{
  nodes_.clear(), looked_at_ = 0, assigned_ = 0;
  add_new_nodes(mesh);
}

void PrescribedMotion::add_new_nodes(const mesh::TetMesh& mesh)
{
  if (conditions_.empty()) return;
  for (; looked_at_ < mesh.num_nodes(); ++looked_at_)
    if (mesh.owned(looked_at_) && mesh.node(looked_at_).marks != 0) nodes_.push_back({looked_at_, {}, {}, {}});
}

std::array<bool, 3> PrescribedMotion::prescribed_axes(std::uint64_t marks, double t) const
{
  const OfAxes condition = deciding(marks & holding(t));
  return {condition[0] >= 0, condition[1] >= 0, condition[2] >= 0};
}

double PrescribedMotion::work_ahead(const element::Model& model, const Vec3& gravity, double half, double t) const
{
  double work = 0;
  for (const PrescribedNode& h : nodes_) {
    const auto n = static_cast<std::size_t>(h.node);
    const mesh::Node& node = model.mesh.node(h.node);
    const auto held = prescribed_axes(node.marks, t);
    const Vec3 v = model.v[n].xyz(), force = model.f[n].xyz() + model.mass[n] * gravity;
    for (int axis = 0; axis < 3; ++axis)
      if (held[static_cast<std::size_t>(axis)]) work -= half * v[axis] * force[axis];
  }
  return work;
}

void PrescribedMotion::before_step(const element::Model& model)
{
  for (PrescribedNode& h : nodes_)
    h.p = model.p[static_cast<std::size_t>(h.node)], h.v = model.v[static_cast<std::size_t>(h.node)];
}

/// Bit k: condition k holds in a step that begins at t.
std::uint64_t PrescribedMotion::holding(double t) const
{
  std::uint64_t holding = 0;
  for (std::size_t k = 0; k < conditions_.size(); ++k) holding |= std::uint64_t{holds_at(conditions_[k], t)} << k;
  return holding;
}

/// The last of these conditions that holds an axis decides it.
PrescribedMotion::OfAxes PrescribedMotion::deciding(std::uint64_t marks) const
{
  OfAxes deciding{-1, -1, -1};
  for (std::size_t k = 0; k < conditions_.size(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if ((marks >> k & 1u) && conditions_[k].axes[axis]) deciding[axis] = static_cast<int>(k);
  return deciding;
}

/// Of the nodes that have none yet; of all, when a condition has ended.
void PrescribedMotion::assign_conditions(const mesh::TetMesh& mesh, double t)
{
  if (holding_ != holding(t)) holding_ = holding(t), assigned_ = 0;
  for (; assigned_ < nodes_.size(); ++assigned_) {
    PrescribedNode& h = nodes_[assigned_];
    h.condition = deciding(mesh.node(h.node).marks & holding_);
  }
}

std::vector<PrescribedMotion::Target> PrescribedMotion::targets(const element::Model& model, double t, double dt) const
{
  std::vector<StepMotion> motions;
  for (const auto& condition : conditions_) motions.push_back(dt != 0 ? step_motion(condition, t, dt) : StepMotion());
  const std::uint64_t held = holding(t);
  std::vector<Target> targets;
  for (const PrescribedNode& h : nodes_) {
    const mesh::Node& node = model.mesh.node(h.node);
    Target target{h.node, model.p[static_cast<std::size_t>(h.node)].xyz(), deciding(node.marks & held)};
    for (int axis = 0; axis < 3; ++axis)
      if (const int k = target.condition[static_cast<std::size_t>(axis)]; k >= 0)
        target.position[axis] += dt * motions[static_cast<std::size_t>(k)].velocity_of(node.X)[axis];
    targets.push_back(target);
  }
  return targets;
}

double PrescribedMotion::after_step(element::Model& model, double t, double dt, std::span<Impulse> impulses)
{
  double fastest = 0;  // squared
  for (std::size_t k = 0; k < conditions_.size(); ++k) motions_[k] = step_motion(conditions_[k], t, dt);
  assign_conditions(model.mesh, t);
  for (const PrescribedNode& h : nodes_) {
    if (h.condition == OfAxes{-1, -1, -1}) continue;
    const auto n = static_cast<std::size_t>(h.node);
    const Vec3 free = model.v[n].xyz(), before = h.p.xyz(), moved = model.p[n].xyz();
    const auto velocity = [&](std::size_t axis) {
      const int k = h.condition[axis];
      if (k < 0) return free[static_cast<int>(axis)];
      const StepMotion& motion = motions_[static_cast<std::size_t>(k)];
      return motion.turns ? motion.velocity_of(model.mesh.node(h.node).X)[static_cast<int>(axis)]
                          : motion.velocity[static_cast<int>(axis)];
    };
    const Vec3 v{velocity(0), velocity(1), velocity(2)};
    const auto place = [&](std::size_t axis) {
      const int i = static_cast<int>(axis);
      return h.condition[axis] < 0 ? moved[i] : before[i] + dt * v[i];
    };
    model.p[n].set_xyz({place(0), place(1), place(2)}), model.v[n].set_xyz(v);
    const Vec3 impulse = model.mass[n] * (v - free);
    add_impulse(impulse, h.condition, before, impulses);
    fastest = std::max(fastest, v.squaredNorm());
    work_ += model.mass[n] * (v - free).dot(0.5 * (v + h.v.xyz()));
  }
  return std::sqrt(fastest);
}

}  // namespace sunder::simulation
