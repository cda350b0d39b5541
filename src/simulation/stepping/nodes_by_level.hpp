#pragma once
/// Nodes in the order of their levels of local time steps.

#include "core/types.hpp"
#include "simulation/stepping/step_control.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

/// The finest first, so that those of a level or finer are a prefix; of one level in no order. Those of level 0 are
/// left out. Local, all of it.
class NodesByLevel {
public:
  void clear();
  void grow(LocalIndex num_nodes);  ///< New ones are of level 0.
  /// A node changes places with one of each level between the old one and the new one.
  void set(LocalIndex n, int level);

  int of(LocalIndex n) const { return level_[static_cast<std::size_t>(n)]; }
  /// level: at least 1.
  std::span<const LocalIndex> of_or_finer(int level) const
  {
    return {nodes_.data(), end_[static_cast<std::size_t>(level)]};
  }

private:
  void swap(std::size_t a, std::size_t b);

  std::vector<LocalIndex> nodes_;
  std::vector<std::uint8_t> level_;                                // (nodes)
  std::vector<std::size_t> place_;                                 // (nodes) in nodes_, of those there
  std::array<std::size_t, StepControl::deepest_level + 2> end_{};  // of those of each level or finer
};

}  // namespace sunder::simulation
