#pragma once
/// Contact of deformable elements with rigid obstacles by overlap volume, T ch. 5.

#include "contact/law/reactions.hpp"
#include "contact/obstacle.hpp"
#include "core/types.hpp"
#include "rigid/motion.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder::contact {

/// Contact of this rank's elements with all obstacles of a scene. The list of elements that may touch is kept until
/// something has moved further than the margin it was made with; what it holds never changes a force.
class ObstacleContact {
public:
  explicit ObstacleContact(std::vector<Obstacle> obstacles, Criterion criterion = Criterion::overlap);

  std::span<const Obstacle> obstacles() const noexcept { return obstacles_; }

  /// Local. Adds contact forces to f (nodes), elements in ascending order, obstacles in scene order within one element;
  /// element is skipped if its four corners are the same node (an empty slot). reactions gets minus the forces of each
  /// element with counted[e] != 0. max_speed: a bound of |v| over p's nodes.
  /// dt: at least the step about to be taken. Returns the power of contact forces on counted elements' corners [W].
  ///
  /// The list of elements relies on this: from one call to the next no node moves further than the dt given before
  /// times the greater max_speed of both calls (nodes whose motion is prescribed or received included); otherwise call
  /// mesh_changed(). Obstacles may jump.
  double add_forces(std::span<const Tet> tets, std::span<const std::uint8_t> primary, std::span<const Row4> p,
                    std::span<const Row4> v, double max_speed, double dt, std::span<const rigid::State> states,
                    std::span<Row4> f, Reactions& reactions);

  /// Local. Power [W] of the forces of the last add_forces() on counted elements' corners, were their velocities v. The
  /// work of a step is the mean of the power before and after it: exactly what the nodes gain.
  double power(std::span<const Row4> v) const;

  /// Local. Forget the list of pairs: elements or nodes were added or renumbered.
  void mesh_changed() noexcept;

private:
  void keep_or_list_pairs(std::span<const Tet> tets, std::span<const Row4> p, double max_speed, double dt,
                          std::span<const rigid::State> states);
  void list_pairs(std::span<const Tet> tets, std::span<const Row4> p, std::span<const rigid::State> states);
  double obstacle_motion(std::span<const rigid::State> states) const;

  std::vector<Obstacle> obstacles_;
  Criterion criterion_;
  std::vector<std::pair<LocalIndex, Vec3>> applied_;  ///< (node, force) of the last add_forces(), counted elements
  std::vector<std::pair<LocalIndex, std::uint16_t>> listed_;  ///< (element, obstacle), ascending
  std::vector<rigid::State> last_states_;                     ///< Of the obstacles, at the last call.
  double last_speed_ = 0, last_dt_ = 0;
  double margin_ = 0;        ///< Elements nearer than this to an obstacle were listed. [m]
  double margin_left_ = -1;  ///< What motion since then left of it; negative: no valid list. [m]
};

}  // namespace sunder::contact
