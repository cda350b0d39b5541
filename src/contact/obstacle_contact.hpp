#pragma once
/// Contact of deformable elements with rigid obstacles by overlap volume, T ch. 5.

#include "contact/interpenetration.hpp"
#include "contact/reactions.hpp"
#include "contact/rigid_motion.hpp"
#include "core/types.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder::contact {

/// The forces an obstacle puts on the corners of one element and what they do.
struct ElementContact {
  Mat34 forces = Mat34::Zero();  ///< On the corners [N]; the obstacle gets minus their sum.
  Vec3 torque = Vec3::Zero();    ///< On the obstacle about its position [N m].
  double overlap = 0;            ///< [m^3]; forces are exactly zero if this is.
};

/// Local. One element against one obstacle, T 5.3-5.10. p, v: (3, 4) corners. All forces act at the overlap's centre,
/// response.hpp.
/// n is the half-space's normal; for the others the mean normal of their surface in the element (T 5.4). As that
/// surface shrinks to nothing around a swallowed element, n passes to the way from the sphere's centre, or to the box's
/// nearest faces, so the force stays continuous; it fades out at the very centre, where no way out is better than
/// another.
ElementContact element_contact(const Obstacle& obstacle, const ObstacleState& state, const Mat34& p, const Mat34& v);

/// Local. What a body and an obstacle share.
Interpenetration sunk(std::span<const Vec3> nodes, std::span<const std::array<GlobalIndex, 4>> tets,
                      const Obstacle& obstacle, const ObstacleState& state);

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
  double add_forces(std::span<const Tet> tets, std::span<const std::uint8_t> counted, std::span<const Row4> p,
                    std::span<const Row4> v, double max_speed, double dt, std::span<const ObstacleState> states,
                    std::span<Row4> f, Reactions& reactions);

  /// Local. Power [W] of the forces of the last add_forces() on counted elements' corners, were their velocities v. The
  /// work of a step is the mean of the power before and after it: exactly what the nodes gain.
  double power(std::span<const Row4> v) const;

  /// Local. Forget the candidate list: elements or nodes were added or renumbered.
  void mesh_changed() noexcept;

private:
  void keep_or_find_candidates(std::span<const Tet> tets, std::span<const Row4> p, double max_speed, double dt,
                               std::span<const ObstacleState> states);
  void find_candidates(std::span<const Tet> tets, std::span<const Row4> p, std::span<const ObstacleState> states);
  double obstacle_motion(std::span<const ObstacleState> states) const;

  std::vector<Obstacle> obstacles_;
  Criterion criterion_;
  std::vector<std::pair<LocalIndex, Vec3>> applied_;  ///< (node, force) of the last add_forces(), counted elements
  std::vector<std::pair<LocalIndex, std::uint16_t>> candidates_;  ///< (element, obstacle), ascending
  std::vector<ObstacleState> last_states_;                        ///< Of the obstacles, at the last call.
  double last_speed_ = 0, last_dt_ = 0;
  double margin_ = 0;        ///< Elements nearer than this to an obstacle were listed. [m]
  double margin_left_ = -1;  ///< What motion since then left of it; negative: no valid list. [m]
};

}  // namespace sunder::contact
