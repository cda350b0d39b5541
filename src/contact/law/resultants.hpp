#pragma once
/// Resultants: sums of the forces that elements exert on obstacles. Exact for free obstacles, which these sums steer.
/// Local, all of it.

#include "contact/law/obstacle.hpp"
#include "core/reproducible_sum.hpp"
#include "core/types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::contact {

/// Force, and torque about the obstacle's position.
struct Resultant {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< [N m]
};

/// The resultants on all obstacles of a scene.
///
/// On free obstacles they are exact sums (core/reproducible_sum.hpp), also over ranks: no order and no number of ranks
/// changes a bit, so every rank moves a free obstacle alike. How: each rank calls append_digits(), the step's reduction
/// adds the digits of all ranks, and take_digits() puts the totals back.
///
/// On other obstacles they move nothing. They stay this rank's own sum, of which work and impulse are reported.
class Resultants {
public:
  explicit Resultants(std::span<const Obstacle> obstacles);

  bool empty() const noexcept { return exact_at_.empty(); }  ///< Are there no obstacles at all?
  void clear();
  void add(std::size_t obstacle, const Vec3& force, const Vec3& torque);
  Resultant on(std::size_t obstacle) const;

  /// Appends the digits of the exact sums to values: 6 ReproducibleSum::digits for each free obstacle. Ranks add them
  /// up digit by digit.
  void append_digits(std::vector<std::int64_t>& values) const;
  /// Replaces this rank's digits by the sums over all ranks.
  void take_digits(std::span<const std::int64_t> total);

private:
  struct Exact {
    ReproducibleSum3 force, torque;
  };
  std::vector<int> exact_at_;     // (obstacles) in exact_; -1: not a free one
  std::vector<Exact> exact_;      // (free obstacles)
  std::vector<Resultant> plain_;  // (obstacles) zero for free ones
};

}  // namespace sunder::contact
