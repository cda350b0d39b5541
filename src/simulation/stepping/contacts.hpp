#pragma once
/// Contact as a stepper needs it: of the bodies with obstacles and with each other, and when each of the two is
/// computed.

#include "config/scene.hpp"
#include "contact/collisions.hpp"
#include "contact/obstacle_contact.hpp"
#include "core/stopwatch.hpp"
#include "fracture/crack.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/processor_time.hpp"
#include "simulation/stepping/step_control.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Pairs are listed anew when a node has left what the list allows for; overlaps are worked out every overlap interval;
/// forces are added in every step. docs/contact.md.
class Contacts {
public:
  /// Local. All three must outlive it. rebuild() must follow.
  Contacts(const config::Scene& scene, State& state, const StepControl& control);

  /// Collective. The bodies are new to this rank, all of them. memory: what pairs of elements held here remembered.
  void rebuild(std::span<const partition::PairRecord> memory);
  /// Collective on neighbours. A crack has cut and made elements, from those that `origins` names: brings the list of
  /// elements near obstacles and the contact surface up to date. Returns whether this rank's pair list cannot be
  /// mended. finish_crack() must follow.
  [[nodiscard]] bool follow_crack(const fracture::CrackResult& crack, contact::Origins origins);
  /// Collective. Mends the pair list, or makes it anew where it has expired on any rank.
  void finish_crack(bool list_expired);
  /// Local. Drops the lists; rebuild() must follow before anything else.
  void release();

  /// Local. The greatest speed of anything that may touch something [m/s]; 0 if nothing can.
  double fastest() const noexcept;

  /// Local. Adds the forces of the current state to model.f; dt: the step about to be taken [s].
  void add_forces(double dt, ProcessorTime& spent);
  /// Local. Of the last add_forces(), of the contact that this rank counts [W].
  double power() const noexcept { return power_; }
  /// Local. Work of the contact that this rank counts in a step of dt [s] that has just been taken: the mean of the
  /// powers before and after it.
  double work(double dt);

  /// Local. The elements and obstacles that touched in the last add_forces(), and their forces in another state of the
  /// bodies, obstacles being where they are.
  std::span<const std::pair<LocalIndex, std::uint16_t>> touching_obstacles() const noexcept
  {
    return obstacle_contact_.touching();
  }
  contact::ElementContact obstacle_force(LocalIndex e, std::uint16_t obstacle) const
  {
    const element::Model& model = state_.model;
    return obstacle_contact_.contact(e, obstacle, model.mesh.tets(), model.p, model.v, state_.obstacle_motions);
  }

  bool has_pairs() const noexcept { return collisions_.has_value(); }  ///< Local. May elements touch elements?
  /// Pairs in another state, by levels of local time steps; only where has_pairs(). See Collisions.
  bool list_changed() const noexcept { return collisions_->list_changed(); }  ///< Local.
  /// Collective on near ranks.
  void take_levels(std::span<const std::uint8_t> of_nodes, int finest) { collisions_->take_levels(of_nodes, finest); }
  /// Local.
  void add_trial_forces_of_pairs(int level)
  {
    collisions_->add_trial_forces(level, state_.model.p, state_.model.v, state_.model.f);
  }
  /// Collective on near ranks.
  void exchange_trial(int level)
  {
    const PhaseStopwatch watch(state_.measured.wall.halo);
    collisions_->exchange_trial(level, state_.model.p, state_.model.v);
  }
  /// Local.
  template <class Visit>
  void for_each_node_of_pairs(int level, Visit&& visit) const
  {
    collisions_->for_each_overlapping_node(level, visit);
  }

  using ListState = contact::Collisions::ListState;
  /// Local. Of the pair list, when nodes have been moved by a step of dt to time `after`.
  ListState list_state(double after, double dt) const;
  /// Collective on neighbours, around the halo exchange: brings nodes of other ranks' elements up to date.
  void start_exchange();
  void finish_exchange(double dt);
  /// Local. Moves the obstacles for dt [s]; resultants() hold those of all ranks. The ledger gets the work.
  void move_obstacles(double dt);
  /// Collective. Gives free obstacles momentum for dt [s], by the last add_forces(), where they are.
  void kick_obstacles(double dt);
  /// Collective, when the step has been taken. worst: the greatest state of any rank's pair list.
  void finish_step(ListState worst);

  /// Local. Of the last add_forces().
  contact::Resultants& resultants() noexcept { return resultants_; }

  /// Local. Are overlaps the next thing to be worked out? So what pairs remember is all that contact knows.
  bool at_sync_point() const noexcept { return !collisions_ || overlaps_due_; }
  std::vector<partition::PairRecord> memory() const;  ///< Local, at a sync point. Of elements held.

  void reset_processor_time();                      ///< Local. Of collisions.
  contact::Collisions::PairWork pair_work() const;  ///< Local. Of this rank.
  /// Local. Adds what collisions have cost for each element (slots) [s].
  void add_costs(const contact::Collisions::PairCosts& each, std::span<double> costs) const;

private:
  contact::Collisions::Bodies bodies() const;
  void list_near_obstacles(std::span<const LocalIndex> elements);
  double list_interval() const;
  void renew_pairs();

  const config::Scene& scene_;
  State& state_;
  const StepControl& control_;
  contact::ObstacleContact obstacle_contact_;
  std::optional<contact::Collisions> collisions_;
  contact::Resultants resultants_;     // on obstacles, of elements that this rank counts, in this step
  std::vector<std::uint8_t> primary_;  // (slots) does this rank count the element
  double power_ = 0;                   // of the last add_forces() [W]
  double next_overlaps_ = 0;           // time of the next overlap update [s]
  bool overlaps_due_ = true;
};

}  // namespace sunder::simulation
