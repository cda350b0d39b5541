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
  nodes_.clear(), looked_at_ = 0;
  add_new_nodes(mesh);
}

void PrescribedMotion::add_new_nodes(const mesh::TetMesh& mesh)
{
  if (conditions_.empty()) return;
  for (; looked_at_ < mesh.num_nodes(); ++looked_at_)
    if (mesh.owned(looked_at_) && mesh.node(looked_at_).marks != 0) nodes_.push_back({looked_at_, {}, {}});
}

std::array<bool, 3> PrescribedMotion::prescribed_axes(std::uint64_t marks, double t) const
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

/// Of a held node, with the motions of the step that begins at t: the last condition that holds an axis decides it.
PrescribedMotion::Prescribed PrescribedMotion::prescribed(const mesh::Node& node, std::span<const StepMotion> motions,
                                                          double t) const
{
  Prescribed prescribed;
  for (std::size_t k = 0; k < conditions_.size(); ++k) {
    if (!(node.marks >> k & 1u) || !holds_at(conditions_[k], t)) continue;
    const Vec3 velocity = motions[k].velocity_of(node.X);
    for (int axis = 0; axis < 3; ++axis)
      if (conditions_[k].axes[static_cast<std::size_t>(axis)])
        prescribed.velocity[axis] = velocity[axis],
        prescribed.condition[static_cast<std::size_t>(axis)] = static_cast<int>(k);
  }
  return prescribed;
}

std::vector<PrescribedMotion::Target> PrescribedMotion::targets(const element::Model& model, double t, double dt) const
{
  std::vector<StepMotion> motions;
  for (const auto& condition : conditions_) motions.push_back(dt != 0 ? step_motion(condition, t, dt) : StepMotion());
  std::vector<Target> targets;
  for (const PrescribedNode& h : nodes_) {
    const Prescribed motion = prescribed(model.mesh.node(h.node), motions, t);
    targets.push_back(
        {h.node, model.p[static_cast<std::size_t>(h.node)].xyz() + dt * motion.velocity, motion.condition});
  }
  return targets;
}

double PrescribedMotion::after_step(element::Model& model, double t, double dt, std::span<Impulse> impulses)
{
  double fastest = 0;
  for (std::size_t k = 0; k < conditions_.size(); ++k) motions_[k] = step_motion(conditions_[k], t, dt);
  for (const PrescribedNode& h : nodes_) {
    const auto n = static_cast<std::size_t>(h.node);
    const mesh::Node& node = model.mesh.node(h.node);
    Vec3 p = model.p[n].xyz(), v = model.v[n].xyz();
    const Vec3 free = v;
    const auto [velocity, condition] = prescribed(node, motions_, t);
    if (condition == std::array{-1, -1, -1}) continue;
    for (int axis = 0; axis < 3; ++axis)
      if (condition[static_cast<std::size_t>(axis)] >= 0)
        v[axis] = velocity[axis], p[axis] = h.p.xyz()[axis] + dt * v[axis];
    model.p[n].set_xyz(p), model.v[n].set_xyz(v);
    add_impulse(model.mass[n] * (v - free), condition, h.p.xyz(), impulses);
    fastest = std::max(fastest, v.norm());
    work_ += model.mass[n] * (v - free).dot(0.5 * (v + h.v.xyz()));
  }
  return fastest;
}

}  // namespace sunder::simulation
