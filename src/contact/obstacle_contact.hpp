#pragma once
/// Contact of deformable elements with rigid obstacles by overlap volume, T ch. 5.

#include "contact/law/obstacle.hpp"
#include "contact/law/obstacle_force.hpp"
#include "contact/law/resultants.hpp"
#include "core/tangent_options.hpp"
#include "core/types.hpp"
#include "rigid/motion.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace sunder::contact {

/// Contact of this rank's elements with all obstacles of a scene. The list of elements that may touch is kept until
/// something has moved further than the margin it was made with. An element that does not overlap has no force, so the
/// contents of the list never change a force.
class ObstacleContact {
public:
  explicit ObstacleContact(std::vector<Obstacle> obstacles, ContactCriterion criterion = ContactCriterion::overlap);

  std::span<const Obstacle> obstacles() const noexcept { return obstacles_; }

  /// Local. Adds contact forces to f: elements in ascending order, and for one element obstacles in scene order. Empty
  /// slots are skipped. Adds minus the forces on primary elements to resultants. Returns the power of the forces on the
  /// corners of primary elements [W].
  /// @param primary    (slots) not 0: this rank counts the element
  /// @param p, v       (nodes) [m], [m/s]
  /// @param max_speed  a bound of |v| over all nodes [m/s]
  /// @param dt         no less than the step about to be taken [s]
  /// @param motions    (obstacles)
  ///
  /// The list relies on this: between two calls no node, prescribed ones and ghosts included, moves further than the
  /// earlier call's dt times the greater max_speed of both calls. Where that may not hold, call drop_list() between
  /// them. Obstacles may jump.
  double add_forces(std::span<const Tet> tets, std::span<const std::uint8_t> primary, std::span<const Row4> p,
                    std::span<const Row4> v, double max_speed, double dt, std::span<const rigid::Motion> motions,
                    std::span<Row4> f, Resultants& resultants);

  /// Local. Power [W] that the forces of the last add_forces() on primary elements have with velocities v. The work of
  /// a step is the step times the mean of the power before and after it: that is exactly the energy the nodes gain.
  double power(std::span<const Row4> v) const;

  /// Local. The elements and obstacles that overlapped in the last add_forces(), ascending.
  std::span<const std::pair<LocalIndex, std::uint16_t>> touching() const noexcept { return touching_; }
  /// Local. The forces between these two in another state; nothing is remembered of it.
  ElementContact contact(LocalIndex e, std::uint16_t obstacle, std::span<const Tet> tets, std::span<const Row4> p,
                         std::span<const Row4> v, std::span<const rigid::Motion> motions) const;

  /// Local. Calls add(row, column, -(df_row/dp_column + rate df_row/dv_column)) for the pairs of corners of each
  /// element that overlaps an obstacle, in the order of add_forces(); f: the contact forces on nodes [N/m]. Obstacles
  /// keep their motion, free ones too.
  /// @param p, v, motions  those of the last add_forces(), whose list is used
  void add_tangent(std::span<const Tet> tets, std::span<const Row4> p, std::span<const Row4> v,
                   std::span<const rigid::Motion> motions, const TangentOptions& options,
                   const std::function<void(LocalIndex row, LocalIndex column, const Mat3& block)>& add) const;

  /// Local. Elements were made, cut or emptied: the list follows. p, motions: now, no further from those of the last
  /// add_forces() than those of the next may be.
  /// @param changed  slots, ascending
  void update_list(std::span<const LocalIndex> changed, std::span<const Tet> tets, std::span<const Row4> p,
                   std::span<const rigid::Motion> motions);

  /// Local. Drops the list. To be called when elements or nodes were renumbered, or have jumped.
  void drop_list() noexcept;

private:
  void keep_or_list_pairs(std::span<const Tet> tets, std::span<const Row4> p, double max_speed, double dt,
                          std::span<const rigid::Motion> motions);
  void list_pairs(std::span<const Tet> tets, std::span<const Row4> p, std::span<const rigid::Motion> motions);
  void list_element(LocalIndex e, const Tet& tet, std::span<const Row4> p, std::span<const rigid::Motion> motions);
  double obstacle_motion(std::span<const rigid::Motion> motions) const;

  std::vector<Obstacle> obstacles_;
  ContactCriterion criterion_;
  std::vector<std::pair<LocalIndex, Vec3>> applied_;  ///< (node, force) of the last add_forces(), of primary elements
  std::vector<std::pair<LocalIndex, std::uint16_t>> listed_;    ///< (element, obstacle), ascending
  std::vector<std::pair<LocalIndex, std::uint16_t>> touching_;  ///< Of these, the ones that overlapped.
  std::vector<rigid::Motion> last_motions_;                     ///< Of the obstacles, at the last call.
  double last_speed_ = 0, last_dt_ = 0;
  double margin_ = 0;        ///< Elements nearer than this to an obstacle were listed. [m]
  double margin_left_ = -1;  ///< What is left of it after the motion since; negative: no valid list. [m]
};

}  // namespace sunder::contact
