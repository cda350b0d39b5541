#pragma once
/// The pairs that overlapped at the last overlap update, and their forces, eight at a time. Local.

#include "contact/law/response_law.hpp"
#include "contact/narrow_phase/element_overlap.hpp"

#include <array>
#include <span>
#include <vector>

namespace sunder::contact {

class OverlappingPairs {
public:
  struct Pair {
    ElementOverlap overlap;
    double stiffness = 0;         ///< [N/m^3]
    double initial_overlap = 0;   ///< That exerts no force [m^3].
    std::array<int, 4> a{}, b{};  ///< Corners: positions in the list of nodes.
    bool counted = false;         ///< In the power of this rank?
    std::uint8_t level = 0;       ///< Below most_levels, and at or above that of the pair added before.
  };
  /// Where the nodes of the list are.
  struct Nodes {
    std::span<const LocalIndex> held;  ///< (nodes of the list) local index; -1: another rank sends it.
    std::span<Row4> p, v;              ///< (nodes of the list) [m], [m/s]
  };

  /// response: stiffness is each pair's own; damping below 0 means automatic.
  explicit OverlappingPairs(const Response& response) : response_(response) {}

  static constexpr int most_levels = 8;

  void clear();
  void add(const Pair& pair, std::span<const LocalIndex> held);
  std::size_t size() const noexcept { return count_; }

  /// Adds to f (nodes held here) [N] the forces of all pairs, in the order in which they were added. Returns their
  /// power, of the counted ones [W]. The held nodes of the list take over p and v.
  double add_forces(std::span<const Row4> p, std::span<const Row4> v, const Nodes& nodes, std::span<Row4> f);
  /// The same of the pairs of one level, in another state, of which nothing is remembered.
  void add_trial_forces(int level, std::span<const Row4> p, std::span<const Row4> v, const Nodes& nodes,
                        std::span<Row4> f) const;
  /// Calls visit(n) with each node held here that some pair of a level has, once.
  template <class Visit>
  void for_each_node(int level, std::span<const LocalIndex> held, Visit&& visit) const
  {
    for (const int k : levels_[static_cast<std::size_t>(level)].nodes) visit(held[static_cast<std::size_t>(k)]);
  }
  /// Power [W] that the forces of the last add_forces() have with velocities v, of the counted pairs.
  double power(std::span<const Row4> v, const Nodes& nodes) const;

private:
  static constexpr std::size_t lanes = Lanes::SizeAtCompileTime;
  using LaneVector = Components<Lanes>;

  /// Unused lanes have no overlap and weigh nothing.
  struct Block {
    Lanes volume = Lanes::Zero(), initial_overlap = Lanes::Zero(), stiffness = Lanes::Zero(), damping = Lanes::Zero();
    LaneVector area{volume, volume, volume}, normal = area, force = area;
    std::array<std::array<double, 8>, lanes> weights{};  // of the force on a's corners, then on b's
    std::array<std::array<int, 8>, lanes> corners{};     // in the list of nodes: a's, then b's
    std::array<std::array<LocalIndex, 8>, lanes> held{};
    std::array<bool, lanes> counted{};
  };

  /// What pairs of one level have.
  struct Level {
    std::size_t count = 0, begin = 0, end = 0;  // pairs; in blocks_
    std::vector<int> nodes;                     // of the list, where held here, each once
  };

  void gather(const Level& level, std::span<const Row4> p, std::span<const Row4> v, const Nodes& nodes) const;
  static LaneVector relative(const Block& block, std::span<const Row4> rows);
  static double power_of(const Block& block, const LaneVector& velocity);
  static void scatter(const Block& block, const LaneVector& force, std::span<Row4> f);
  LaneVector force_of(const Block& block, const LaneVector& shift, const LaneVector& velocity) const;

  Response response_;
  std::vector<Block> blocks_;
  std::size_t count_ = 0;
  std::array<Level, most_levels> levels_;
  std::vector<std::uint8_t> known_;  // (nodes of the list) bit l: is it among those of level l?
};

}  // namespace sunder::contact
