/// Sleep of the islands of HybridStepper: bodies that rest on each other stop together, wake together, and bear each
/// other's weight meanwhile.

#include "core/hash.hpp"
#include "simulation/stepping/hybrid_stepper.hpp"

#include <algorithm>
#include <utility>

namespace sunder::simulation {

/// (bodies) what each touches, as a number.
std::vector<std::uint64_t> HybridStepper::fingerprints() const
{
  std::vector<std::uint64_t> prints(bodies_.all().size(), 0);
  std::pair<std::int64_t, std::int64_t> last{-1, -1};
  for (const BodyContact& contact : touching_) {
    if (std::exchange(last, std::pair{contact.a, contact.b}) == last) continue;
    prints[bodies_.find(contact.a)] += mix(static_cast<std::uint64_t>(contact.b));
    if (!contact.with_obstacle()) prints[bodies_.find(contact.b)] += mix(static_cast<std::uint64_t>(contact.a));
  }
  return prints;
}

/// A body wakes when what it touches is not what it was, or is an obstacle that moves, and with each body of its
/// island.
void HybridStepper::wake(const std::vector<Island>& islands)
{
  std::vector<RigidBody>& bodies = bodies_.all();
  const std::vector<std::uint64_t> prints = fingerprints();
  const auto rouse = [&bodies](std::size_t k) {
    if (std::exchange(bodies[k].asleep, false)) bodies[k].slow_for = 0;
  };
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (bodies[k].touching != prints[k]) rouse(k);
  for (const rigid::ContactPoint& point : points_) {
    const rigid::Movable& b = movable_[static_cast<std::size_t>(point.b)];
    if (!(b.inverse_mass > 0) && !b.stands()) rouse(static_cast<std::size_t>(point.a));
  }
  for (const Island& island : islands) {
    const bool still = std::all_of(island.bodies.begin(), island.bodies.end(),
                                   [&](std::size_t k) { return k < bodies.size() && bodies[k].asleep; });
    if (still) continue;
    for (const std::size_t k : island.bodies)
      if (k < bodies.size()) bodies[k].asleep = false;
  }
}

/// Bodies that have been slow for a while sleep, all of an island at once.
void HybridStepper::put_to_sleep(double dt)
{
  if (!(scene_.hybrid.sleep_speed > 0)) return;
  std::vector<RigidBody>& bodies = bodies_.all();
  for (RigidBody& body : bodies) {
    if (body.asleep) continue;
    const double speed = body.motion.velocity.norm() + body.radius() * body.motion.spin.norm();
    body.slow_for = speed < scene_.hybrid.sleep_speed ? body.slow_for + dt : 0;
  }
  std::vector<std::uint64_t> prints;
  for (const Island& island : islands()) {
    bool rests = std::all_of(island.bodies.begin(), island.bodies.end(), [&](std::size_t k) {
      return k < bodies.size() && !bodies[k].asleep && bodies[k].slow_for >= scene_.hybrid.sleep_time;
    });
    for (const std::size_t i : island.contacts) {
      const rigid::Movable& b = movable_[static_cast<std::size_t>(points_[i].b)];
      rests = rests && (b.inverse_mass > 0 || b.stands());
    }
    if (!rests) continue;
    if (prints.empty()) prints = fingerprints();
    for (const std::size_t k : island.bodies) {
      rigid::Motion& motion = bodies[k].motion;
      motion.velocity.setZero(), motion.spin.setZero(), motion.angular_momentum.setZero();
      bodies_.stop(k);
      bodies[k].asleep = true, bodies[k].touching = prints[k];
    }
  }
}

/// (points) what bodies get in the step [N s]. Islands that sleep are not solved for: their impulses are left from a
/// step of another length, or have been forgotten. They bear the island's weight over dt: in proportion, or all alike.
std::vector<Vec3> HybridStepper::impulses_of_step(double dt) const
{
  std::vector<Vec3> given;
  for (const rigid::ContactPoint& point : points_) given.push_back(point.impulse);
  const std::vector<RigidBody>& bodies = bodies_.all();
  if (std::none_of(bodies.begin(), bodies.end(), [](const RigidBody& body) { return body.asleep; })) return given;
  for (const Island& island : islands()) {
    if (!(island.bodies.front() < bodies.size() && bodies[island.bodies.front()].asleep)) continue;
    std::vector<std::size_t> borne;  // by obstacles
    Vec3 left = Vec3::Zero(), weight = Vec3::Zero();
    for (const std::size_t k : island.bodies) weight += bodies[k].inertia.mass * dt * scene_.gravity;
    for (const std::size_t i : island.contacts)
      if (touching_[leads_[i]].with_obstacle()) borne.push_back(i), left += points_[i].impulse;
    const double along = left.dot(-weight);
    for (const std::size_t i : borne)
      given[i] =
          along > 0 ? Vec3(weight.squaredNorm() / along * given[i]) : Vec3(-weight / static_cast<double>(borne.size()));
  }
  return given;
}

}  // namespace sunder::simulation
