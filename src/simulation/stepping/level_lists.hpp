#pragma once
/// Which elements, links and nodes are stepped how often, as lists. docs/local-steps.md.

#include "partition/halo/kinematics_exchange.hpp"
#include "partition/halo/shared_nodes.hpp"
#include "simulation/state.hpp"
#include "simulation/stepping/level_elements.hpp"
#include "simulation/stepping/node_levels.hpp"
#include "simulation/stepping/nodes_by_level.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sunder::simulation {

/// An element or link has the level of its finest node. Levels count from 1 here: what is of level 0 is on no list. A
/// pure function of the state, but for the order of nodes, on which no force depends.
class LevelLists {
public:
  /// Local. Both must outlive it. Lists are empty.
  LevelLists(State& state, const StepControl& control) : state_(state), node_levels_(state, control) {}

  /// Local. As if new.
  void clear();
  /// Collective. As NodeLevels::update(). Costs what it is given, how far levels change, and a pass over the links of
  /// the rank.
  void update(std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes);

  int finest() const noexcept { return node_levels_.finest(); }                                ///< Local. Of all ranks.
  const NodeLevels& node_levels() const noexcept { return node_levels_; }                      ///< Local.
  int of_element(LocalIndex e) const { return of_element_.empty() ? 0 : of_element_[at(e)]; }  ///< Local.

  /// Local. Of the level.
  LevelElements& elements(int level) { return of(level).elements; }
  const LevelElements& elements(int level) const { return of(level).elements; }
  std::span<const std::size_t> links(int level) const { return of(level).links; }  ///< Positions.
  /// Local. Of elements and links of the level or finer; and those that have been raised to it.
  std::span<const LocalIndex> nodes(int level) const { return nodes_.of_or_finer(level); }
  /// Local. That are of the level or finer themselves, ghosts included.
  std::span<const LocalIndex> moved(int level) const { return moved_.of_or_finer(level); }

  /// Local. Node n is listed as of this level, if it is not of a finer one, until lower_raised() or a change.
  void raise(LocalIndex n, int level);
  void lower_raised();

  /// Collective on neighbours. p and v of moved(level) go from owners to ghosts.
  void exchange(int level);

private:
  struct Level {
    LevelElements elements;
    std::vector<std::size_t> links;
    partition::SharedNodes shared;
    std::unique_ptr<partition::KinematicsExchange> exchange;
  };
  using Lists = std::array<std::vector<LocalIndex>, StepControl::deepest_level + 1>;

  Level& of(int level) { return levels_[static_cast<std::size_t>(level - 1)]; }
  const Level& of(int level) const { return levels_[static_cast<std::size_t>(level - 1)]; }
  void group_elements(std::span<const LocalIndex> slots);
  void group_links();
  void list_nodes();
  void share_nodes();
  int level_of(LocalIndex e) const;
  int level_of_link(std::size_t k) const;
  int listed_level(LocalIndex n) const;

  State& state_;
  NodeLevels node_levels_;
  std::vector<std::uint8_t> of_element_;  // (slots)
  std::vector<Level> levels_;             // as many on every rank
  NodesByLevel nodes_, moved_;
  std::vector<LocalIndex> asked_;                   // nodes whose elements or links may have another level
  std::vector<std::pair<LocalIndex, int>> raised_;  // and their own levels, in the order in which they were raised
};

}  // namespace sunder::simulation
