#pragma once
/// Local time steps: what is light or small is stepped more often than the rest. docs/local-steps.md.

#include "config/scene.hpp"
#include "simulation/loading/prescribed_motion.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/contacts.hpp"
#include "simulation/stepping/level_lists.hpp"
#include "simulation/stepping/step_control.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Nodes have levels (LevelLists). In a step of dt the forces of what has a corner of level k are looked at 2^k times,
/// and what the nodes get is the mean: with F the forces of a state s, and G_L = F at the finest level L,
///   G_k(s) = (G_{k+1}(s) + G_{k+1}(s')) / 2,  s' = s with nodes of level k+1 and more moved by c dt_k^2/8 a, and their
///   velocities changed by c dt_k/4 a,  a = G_{k+1}(s) / m + gravity,  dt_k = dt / 2^k,  c = 4 / stiffest(k).
/// G_0 are the forces of the step. They add up to what F adds up to, and vanish where a does.
class LocalSteps {
public:
  /// Local. All must outlive it; rebuild() must follow.
  LocalSteps(const config::Scene& scene, State& state, const StepControl& control, const PrescribedMotion& prescribed,
             Contacts& contacts);

  /// Collective. Levels of all elements anew; nothing without local steps.
  void rebuild();
  /// Collective. As LevelLists::update().
  void update(std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes);

  /// Collective on near ranks, before contacts. Pairs that may touch get the levels of their nodes, if either is new.
  void tell_pairs();
  /// Collective on neighbours. From the forces at p and v to those of a step of dt [s], in model.f, and the resultants
  /// on obstacles likewise. f.w is lost. What foresee() has found out for the same step is taken over.
  void filter_forces(double dt);
  /// Local. Work that the difference of the two did in a step of dt [s], in two halves: with the velocities before the
  /// step, and with those after it. Of owned nodes.
  double half_of_work(double dt) const;
  /// Local. Likewise of the viscous forces at level 1 and finer, before they are filtered.
  double half_of_viscous_work(double dt) const;

  /// Collective on neighbours, forces being current. What the last step of dt [s] does to the energies of a state whose
  /// velocities live at half steps: the forces at its end are filtered, but stay what they are.
  void foresee(double dt);
  /// Local, after foresee(). Work [J] of the difference in the half step `lag` [s], on owned nodes where they are not
  /// held: so much kinetic energy comes with filtered forces in place of the others.
  double work_ahead(double lag) const;

  /// Elements of each level, of those that this rank counts: by their node of the finest level.
  using Counts = std::array<std::int64_t, StepControl::deepest_level + 1>;
  Counts counts() const;                                              ///< Local.
  double evaluations_a_step() const;                                  ///< Local. Of elements this rank counts.
  std::int64_t evaluations() const noexcept { return evaluations_; }  ///< Of elements this rank counts.
  std::int64_t held_evaluations() const noexcept { return held_evaluations_; }  ///< Of all it holds.
  /// Local. How often the forces of element e are computed in a step.
  double evaluations_of(LocalIndex e) const;

private:
  /// What a step keeps of a level.
  struct Level {
    std::vector<std::size_t> touching;  // positions in touching_
    std::vector<Row4> base, first;      // (nodes of the level) forces of what is coarser; of the first of two states
    std::vector<Row4> p, v;             // (those moved) where they are in the state they go back to
  };

  struct Touching {
    LocalIndex element;
    std::uint16_t obstacle;
    bool counted;
    Vec3 force, torque;  // on the obstacle, in the present state
  };

  /// Forces of the step that is next, by foresee().
  struct Foreseen {
    std::int64_t step = -1;  // so many have been taken
    double dt = 0;           // [s]
    contact::Resultants resultants;
  };

  void filter_all(double dt);
  void begin();
  void note_strains();
  void find_viscous_forces();
  void sort_touching();
  void raise_nodes_of_pairs();
  void compute(std::size_t k);
  void add_internal_forces(int level, std::span<const Row4> v);
  void add_group(std::size_t k);
  void filter(std::size_t k, double dt, double weight);
  void move(std::size_t k, double dt);
  void add_resultants(double weight);

  const config::Scene& scene_;
  State& state_;
  const PrescribedMotion& prescribed_;
  Contacts& contacts_;
  bool on_;
  bool viscosity_;  // does any material have some?
  LevelLists lists_;
  std::vector<Level> levels_;  // 1, 2, ... at 0, 1, ...
  std::vector<Touching> touching_;
  std::vector<Row4> full_, filtered_;    // (nodes of level 1) forces before they were filtered, and after
  std::vector<Row4> viscous_, at_rest_;  // (nodes of level 1) viscous forces; (nodes) no velocity
  bool pairs_know_ = false;              // the levels of their nodes?
  Foreseen foreseen_;                    // filtered_ are those already
  std::int64_t evaluations_ = 0, held_evaluations_ = 0;
};

}  // namespace sunder::simulation
