#include "simulation/stepping/contact_step.hpp"

#include "contact/law/penalty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::simulation {

double step_together(double step, double other)
{
  return 1 / std::sqrt(1 / (step * step) + 1 / (other * other));
}

ContactStiffness::ContactStiffness(const config::CollisionOptions& collisions,
                                   std::span<const contact::Obstacle> obstacles, double least_compliance)
  : obstacle_step_(std::numeric_limits<double>::infinity()),
    pairs_(collisions.enabled),
    of_pairs_(collisions.response.stiffness),
    least_compliance_(least_compliance)
{
  for (const contact::Obstacle& o : obstacles) {
    of_obstacles_ = std::max(of_obstacles_, o.response.stiffness);
    if (o.motion == rigid::MotionKind::free) obstacle_step_ = std::min(obstacle_step_, contact::obstacle_step(o));
  }
}

double ContactStiffness::step(double compliance, double mass, const std::array<Vec3, 4>& corners) const
{
  // Both sides of a pair give way: twice the stiffness against this side's mass alone.
  const double pair = !pairs_ ? 0 : of_pairs_ > 0 ? of_pairs_ : 1 / (compliance + least_compliance_);
  const double stiffness = of_obstacles_ + 2 * pair;
  if (stiffness == 0) return std::numeric_limits<double>::infinity();
  return step_together(contact::penalty_step(stiffness, mass, corners), obstacle_step_);
}

}  // namespace sunder::simulation
