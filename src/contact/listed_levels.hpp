#pragma once
/// Levels of time steps of the nodes in a pair list, of other ranks' nodes too. docs/local-steps.md.

#include "contact/broad_phase/pair_list.hpp"

#include <memory>

namespace sunder::contact {

/// A pair is of the greatest level of its eight nodes: that is how often its force must be looked at.
class ListedLevels {
public:
  explicit ListedLevels(const Comm& comm) : comm_(comm) {}

  /// Collective on ranks that send each other listed nodes. of_nodes: of the nodes held here; finest: of all ranks.
  void take(const PairList& list, std::span<const std::uint8_t> of_nodes, int finest);

  int finest() const noexcept { return finest_; }  ///< Local. 0 before take().
  /// Local. Of a pair of the list.
  std::uint8_t of(const PairList& list, const ListedPair& pair) const;

  /// Collective on ranks that send each other listed nodes. Sends p and v of nodes of a level or finer, from 1 on, to
  /// the rows of the list.
  void exchange(int level, std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> to_p,
                std::span<Row4> to_v) const;

private:
  struct Level {
    std::vector<partition::Neighbour> neighbours;  // whose nodes of this level or finer they are
    std::unique_ptr<partition::KinematicsExchange> exchange;
  };
  void receive(const PairList& list, std::span<const std::uint8_t> of_nodes);

  Comm comm_;
  int finest_ = 0;
  std::vector<std::uint8_t> of_listed_;  // (nodes of the list)
  std::vector<Level> levels_;            // 1, 2, ... at 0, 1, ...
};

}  // namespace sunder::contact
