#include "simulation/prescribed_motion.hpp"

#include "simulation/over_time.hpp"

#include <algorithm>

namespace sunder::simulation {

PrescribedMotion::PrescribedMotion(std::vector<config::BoundaryCondition> conditions, const mesh::TetMesh& mesh)
  : conditions_(std::move(conditions))
{
  mesh_changed(mesh);
}

void PrescribedMotion::mesh_changed(const mesh::TetMesh& mesh)
{
  held_.clear();
  if (conditions_.empty()) return;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.node(n).marks != 0) held_.push_back({n, {}, {}});
}

void PrescribedMotion::before_step(const element::Model& model)
{
  for (Held& h : held_)
    h.p = model.p[static_cast<std::size_t>(h.node)], h.v = model.v[static_cast<std::size_t>(h.node)];
}

double PrescribedMotion::after_step(element::Model& model, double t, double dt)
{
  double fastest = 0;
  std::vector<Vec3> velocity;
  for (const auto& condition : conditions_) velocity.push_back(at_time(condition.velocity, t + dt / 2));
  for (const Held& h : held_) {
    const auto n = static_cast<std::size_t>(h.node);
    const mesh::Node& node = model.mesh.node(h.node);
    Vec3 p = model.p[n].xyz(), v = model.v[n].xyz();
    const Vec3 free = v;
    for (std::size_t k = 0; k < conditions_.size(); ++k) {
      if (!(node.marks >> k & 1u)) continue;
      for (int axis = 0; axis < 3; ++axis)
        if (conditions_[k].axes[static_cast<std::size_t>(axis)]) {
          v[axis] = velocity[k][axis];
          p[axis] = h.p.xyz()[axis] + dt * v[axis];
        }
    }
    model.p[n].set_xyz(p), model.v[n].set_xyz(v);
    fastest = std::max(fastest, v.norm());
    if (node.owner == model.mesh.me()) work_ += model.mass[n] * (v - free).dot(0.5 * (v + h.v.xyz()));
  }
  return fastest;
}

}  // namespace sunder::simulation
