#pragma once
/// Says where steps are too long for the friction of an obstacle. docs/contact.md.

#include "config/scene.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/contacts.hpp"

#include <cstdint>
#include <vector>

namespace sunder::simulation {

/// Friction is explicit. With a the acceleration that pressure alone gives a node, a step dt takes mu a dt / slip_speed
/// times its velocity from a node that slides slower than slip_speed: above twice, the node is thrown back and forth.
class FrictionCheck {
public:
  /// Local. Both must outlive it.
  FrictionCheck(const config::Scene& scene, State& state);

  /// Collective. Warns once of an obstacle most of whose pressure is on nodes that are thrown, in five calls one after
  /// the other between which the whole pressure is steady: of what rests, not of what bounces. Forces are current; a
  /// second call in the same state does nothing.
  /// @param dt  of a step [s]
  void look(const Contacts& contacts, double dt);

private:
  bool warned(std::size_t obstacle) const;

  const config::Scene& scene_;
  State& state_;
  std::vector<std::size_t> rough_;  // obstacles with friction, in scene order
  std::vector<int> calls_;          // (of rough_) in which that was so, one after the other
  std::vector<double> force_;       // (of rough_) the whole pressure at the last call [N]
  std::int64_t last_step_ = -1;
};

}  // namespace sunder::simulation
