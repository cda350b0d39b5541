#pragma once
/// Local time steps: what is light or small is stepped more often than the rest. docs/local-steps.md.

#include "config/scene.hpp"
#include "element/element_blocks.hpp"
#include "partition/halo/kinematics_exchange.hpp"
#include "simulation/loading/prescribed_motion.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/contacts.hpp"
#include "simulation/stepping/node_levels.hpp"
#include "simulation/stepping/step_control.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sunder::simulation {

/// Nodes have levels (NodeLevels). In a step of dt the forces of what has a corner of level k are looked at 2^k times,
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
  /// Collective. As NodeLevels::update().
  void update(std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes);
  /// Collective. Links have come to nothing.
  void update_links();

  /// Collective on near ranks, before contacts. Pairs that may touch get the levels of their nodes, if either is new.
  void tell_pairs();
  /// Collective on neighbours. From the forces at p and v to those of a step of dt [s], in model.f, and the resultants
  /// on obstacles likewise. f.w is lost.
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
  /// Elements, links and pairs whose finest node is of this level, and all nodes of those of this level or finer.
  struct Level {
    element::ElementBlocks blocks;
    std::vector<LocalIndex> elements;            // of blocks, in order
    std::vector<element::PlasticBlock> strains;  // of blocks, as the step found them
    std::int64_t counted = 0;                    // elements that this rank counts
    std::vector<std::size_t> links;              // positions
    std::vector<std::size_t> touching;           // positions in touching_
    std::vector<LocalIndex> nodes;  // of elements and links of this level or finer; then others of pairs that touch
    std::size_t own_nodes = 0;      // so many are the first kind
    std::vector<LocalIndex> fine, moved;           // of this level or finer: owned; with ghosts
    std::vector<Row4> base, first;                 // (nodes) forces of what is coarser; of the first of two states
    std::vector<Row4> p, v;                        // (moved) where they are in the state they go back to
    std::vector<partition::Neighbour> neighbours;  // whose nodes of this level or finer they are
    std::unique_ptr<partition::KinematicsExchange> exchange;
  };

  struct Touching {
    LocalIndex element;
    std::uint16_t obstacle;
    bool counted;
    Vec3 force, torque;  // on the obstacle, in the present state
  };

  void find_groups(std::span<const LocalIndex> slots);
  void group_elements(std::span<const LocalIndex> slots);
  void regroup(std::size_t k, std::span<const LocalIndex> came);
  void group_links();
  void forget_nodes();
  void list_nodes();
  void list_neighbours();
  int level_of(LocalIndex e) const;
  int level_of_link(std::size_t k) const;
  void begin();
  void find_viscous_forces();
  void sort_touching();
  void list_nodes_of_pairs();
  void compute(std::size_t k);
  void add_group(Level& level);
  void filter(std::size_t k, double dt, double weight);
  void move(Level& level, double dt, double c);
  void add_resultants(double weight);

  const config::Scene& scene_;
  State& state_;
  const PrescribedMotion& prescribed_;
  Contacts& contacts_;
  bool on_;
  bool viscosity_;  // does any material have some?
  NodeLevels node_levels_;
  std::vector<std::uint8_t> group_of_;  // (slots) the level of each element
  std::vector<LocalIndex> linked_;      // nodes with links, ascending
  std::vector<Level> levels_;           // 1, 2, ... at 0, 1, ...; as many on every rank
  std::vector<Touching> touching_;
  std::vector<Row4> full_, change_;      // (nodes of level 1) forces before they were filtered, and what that adds
  std::vector<Row4> viscous_, at_rest_;  // (nodes of level 1, of the first kind) viscous forces; (nodes) no velocity
  std::vector<Row4> base_;               // (nodes) of level 1, where it is one of its nodes
  std::vector<std::uint8_t> listed_;     // (nodes) on how many levels' lists of the first kind
  std::vector<std::uint8_t> touched_;    // (nodes) on how many because pairs have them; 0 but in list_nodes_of_pairs()
  bool pairs_know_ = false;              // the levels of their nodes?
  std::int64_t evaluations_ = 0, held_evaluations_ = 0;
};

}  // namespace sunder::simulation
