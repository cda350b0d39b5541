#include "simulation/stepping/energies.hpp"

#include "rigid/motion.hpp"

#include <algorithm>

namespace sunder::simulation {

double kinetic_energy(const State& state, const PrescribedMotion& prescribed, const Vec3& gravity, double lag)
{
  const element::Model& model = state.model;
  double twice = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    if (!model.mesh.owned(n)) continue;
    const auto i = static_cast<std::size_t>(n);
    const Vec3 v = model.v[i].xyz(), kick = 2 * lag * (model.f[i].xyz() / model.mass[i] + gravity);
    Vec3 after = v;
    const auto held = prescribed.prescribed_axes(model.mesh.node(n).marks, state.time);
    for (int axis = 0; axis < 3; ++axis)
      if (!held[static_cast<std::size_t>(axis)]) after[axis] += kick[axis];
    twice += model.mass[i] * v.dot(after);
  }
  if (state.comm.rank() == 0) twice += 2 * kinetic_energy_of_obstacles(state);
  return twice / 2;
}

double kinetic_energy_of_obstacles(const State& state)
{
  double energy = 0;
  for (std::size_t k = 0; k < state.obstacles.size(); ++k)
    if (state.obstacles[k].motion == rigid::MotionKind::free)
      energy += rigid::kinetic_energy(state.obstacles[k], state.obstacle_motions[k]);
  return energy;
}

double greatest_speed(const element::Model& model)
{
  double speed = 0;
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if (!model.mesh.star(n).empty()) speed = std::max(speed, model.v[static_cast<std::size_t>(n)].xyz().norm());
  return speed;
}

double potential_of_gravity(const State& state, const Vec3& gravity)
{
  const element::Model& model = state.model;
  Vec3 moment = Vec3::Zero();
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
    if (model.mesh.owned(n))
      moment += model.mass[static_cast<std::size_t>(n)] * model.p[static_cast<std::size_t>(n)].xyz();
  if (state.comm.rank() == 0)
    for (std::size_t k = 0; k < state.obstacles.size(); ++k)
      if (state.obstacles[k].motion == rigid::MotionKind::free)
        moment += state.obstacles[k].mass * state.obstacle_motions[k].position;
  return moment.dot(gravity);
}

}  // namespace sunder::simulation
