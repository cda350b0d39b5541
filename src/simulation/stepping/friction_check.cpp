#include "simulation/stepping/friction_check.hpp"

#include "core/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sunder::simulation {
namespace {

/// Over the nodes that an obstacle presses.
struct Pressed {
  double force = 0, thrown_force = 0;  // [N]
  double change = 0;                   // thrown_force times mu a dt [N m/s]
};

std::string key_of(const config::Scene& scene, std::size_t obstacle)
{
  return fmt::format("obstacles.{}.slip_speed", scene.obstacles[obstacle].name);
}

/// Local. How hard an obstacle presses the nodes that this rank owns and no condition holds [N].
std::map<LocalIndex, double> forces_on_nodes(const State& state, const Contacts& contacts, std::size_t obstacle)
{
  const double friction = state.obstacles[obstacle].response.friction_static;
  std::map<LocalIndex, double> forces;
  for (const auto& [e, k] : contacts.touching_obstacles()) {
    if (k != obstacle) continue;
    const Mat34 corners = contacts.obstacle_force(e, k).forces;
    for (int a = 0; a < 4; ++a) {
      const LocalIndex n = state.model.mesh.tet(e)[static_cast<std::size_t>(a)];
      if (!state.model.mesh.owned(n) || state.model.mesh.node(n).marks != 0) continue;
      forces[n] += corners.col(a).norm() / std::hypot(1, friction);  // without what friction itself has of it, at most
    }
  }
  return forces;
}

}  // namespace

FrictionCheck::FrictionCheck(const config::Scene& scene, State& state) : scene_(scene), state_(state)
{
  for (std::size_t k = 0; k < scene.obstacles.size(); ++k)
    if (state.obstacles[k].response.friction_static > 0) rough_.push_back(k);
  calls_.resize(rough_.size(), 0), force_.resize(rough_.size(), 0);
}

bool FrictionCheck::warned(std::size_t obstacle) const
{
  const std::string key = key_of(scene_, obstacle);
  return std::any_of(state_.warnings.begin(), state_.warnings.end(),
                     [&key](const std::string& text) { return text.find(key) != std::string::npos; });
}

void FrictionCheck::look(const Contacts& contacts, double dt)
{
  constexpr int enough = 5;
  constexpr double steady = 0.1;  // change of the whole pressure from one call to the next
  if (rough_.empty() || std::exchange(last_step_, state_.steps) == state_.steps) return;
  const element::Model& model = state_.model;
  std::vector<Pressed> pressed(rough_.size());
  Reduction sums;
  for (std::size_t i = 0; i < rough_.size(); ++i) {
    Pressed& all = pressed[i];
    const contact::Response& response = state_.obstacles[rough_[i]].response;
    const rigid::Motion& motion = state_.obstacle_motions[rough_[i]];
    for (const auto& [n, force] : forces_on_nodes(state_, contacts, rough_[i])) {
      const auto k = static_cast<std::size_t>(n);
      const double change = response.friction_static * force / model.mass[k] * dt;
      const Vec3 arm = model.p[k].xyz() - motion.position;
      const double speed = (model.v[k].xyz() - motion.velocity - motion.spin.cross(arm)).norm();
      all.force += force;
      if (change < 2 * response.slip_speed || speed > 2 * change) continue;  // what slides faster is not thrown back
      all.thrown_force += force, all.change += force * change;
    }
    sums.sum(all.force, all.thrown_force, all.change);
  }
  sums.over(state_.comm);
  for (std::size_t i = 0; i < rough_.size(); ++i) {
    const Pressed& all = pressed[i];
    const double before = std::exchange(force_[i], all.force);
    const bool rests = std::abs(all.force - before) < steady * before;
    calls_[i] = rests && 2 * all.thrown_force > all.force ? calls_[i] + 1 : 0;
    if (calls_[i] != enough || warned(rough_[i])) continue;
    const double enough_speed = all.change / all.thrown_force;
    const double slip_speed = state_.obstacles[rough_[i]].response.slip_speed;
    warn(state_,
         fmt::format("{}: steps of {:.3g} s are too long for friction below {:g} m/s: nodes that rest there are "
                     "thrown back and forth, and creep faster than that; {:.1g} m/s would do, or a time.step of "
                     "{:.1g} s",
                     config::message_key(scene_, key_of(scene_, rough_[i])), dt, slip_speed, enough_speed,
                     dt * slip_speed / enough_speed));
  }
}

}  // namespace sunder::simulation
