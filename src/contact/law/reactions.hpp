#pragma once
/// What elements put on obstacles: exactly where it steers the obstacle. Local, all of it.

#include "contact/obstacle.hpp"
#include "core/reproducible_sum.hpp"
#include "core/types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::contact {

/// Force, and torque about the obstacle's position.
struct Reaction {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< [N m]
};

/// The reactions on all obstacles of a scene. Those on free obstacles are added up exactly, over ranks too: order never
/// matters. Those on the others move nothing: each rank adds up its own, and their work is its share.
class Reactions {
public:
  explicit Reactions(std::span<const Obstacle> obstacles);

  bool empty() const noexcept { return exact_at_.empty(); }  ///< Are there no obstacles at all?
  void clear();
  void add(std::size_t obstacle, const Vec3& force, const Vec3& torque);
  Reaction on(std::size_t obstacle) const;

  /// Appends the digits of the exact sums, which ranks add up one by one: 6 ReproducibleSum::digits a free obstacle.
  void append_digits(std::vector<std::int64_t>& values) const;
  /// Takes what all ranks' digits add up to in place of this rank's.
  void take_digits(std::span<const std::int64_t> total);

private:
  struct Exact {
    ReproducibleSum3 force, torque;
  };
  std::vector<int> exact_at_;    // (obstacles) in exact_; -1: not a free one
  std::vector<Exact> exact_;     // (free obstacles)
  std::vector<Reaction> plain_;  // (obstacles) zero for free ones
};

}  // namespace sunder::contact
