#pragma once
/// Which nodes take shorter time steps than the others, by powers of two. docs/local-steps.md.

#include "simulation/state.hpp"
#include "simulation/stepping/step_control.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

/// A node's level is the greatest of the elements and links at it, or one less than a neighbour's if that is more: so
/// many halvings of the step. A pure function of the mesh: the same on any number of ranks, whatever came before.
class NodeLevels {
public:
  /// Local. Both must outlive it. All nodes are of level 0.
  NodeLevels(const State& state, const StepControl& control) : state_(state), control_(control) {}

  /// Local. As if new.
  void clear();
  /// Collective: two reductions, and two exchanges with neighbours and one a level. Costs what it is given and how far
  /// levels change.
  /// @param slots  of elements cut, made or emptied, or whose limit has changed
  /// @param nodes  that are, or were, their corners; and those whose links have changed
  void update(std::span<const LocalIndex> slots, std::span<const LocalIndex> nodes);

  std::span<const std::uint8_t> all() const noexcept { return of_node_; }  ///< Local. (nodes) ghosts included.
  std::uint8_t of(LocalIndex n) const { return of_node_[static_cast<std::size_t>(n)]; }  ///< Local.
  int finest() const noexcept { return finest_; }                                        ///< Local. Of all ranks.
  /// Local. Nodes of the last update(): those given, and all others whose level changed, ghosts included; ascending.
  std::span<const LocalIndex> changed() const noexcept { return changed_; }

private:
  void find_levels_of_elements(std::span<const LocalIndex> slots);
  std::uint8_t own_level(LocalIndex n) const;
  void spread(int level);
  bool reaches(LocalIndex n, int level) const;
  void take_over(LocalIndex n);
  int greatest_used() const;

  const State& state_;
  const StepControl& control_;
  std::vector<std::uint8_t> of_element_, own_;  // (slots), (nodes) of what is there itself
  std::vector<std::uint8_t> reached_;           // (nodes) bit k: is its level k or finer? Ghosts included.
  std::vector<std::uint8_t> of_node_;           // (nodes) the greatest of these
  std::array<std::int64_t, StepControl::deepest_level + 1> count_{};  // owned nodes of each level; not of level 0
  int finest_ = 0;
  std::vector<LocalIndex> changed_, given_;  // of the last update(); nodes that it was given
  std::vector<LocalIndex> came_;             // nodes that got or lost the level above
};

}  // namespace sunder::simulation
